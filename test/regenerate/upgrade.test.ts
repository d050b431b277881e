import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { snapshotShape } from '../../src/model/snapshot.ts';
import { hashText, recordPath, snapshotPath } from '../../src/project/paths.ts';
import { readOpenConflicts } from '../../src/project/open-conflicts.ts';
import { readRecord } from '../../src/project/record.ts';
import { listOutputs } from '../../src/render/manifest.ts';
import { findSuccession } from '../../src/render/successors.ts';
import { templateNames } from '../../src/render/template-files.ts';
import { version as current } from '../../src/version.ts';
import { check, regenerate, resolve } from '../cli/in-process.ts';
import { newProject } from '../support/changed-project.ts';
import { diskTree } from './support/edit.ts';
import { makeOlderProject, olderVersions, readOlderProject } from './support/older-project.ts';
import { lostLines, ownLines } from './support/upgrade-oracle.ts';

describe.each(olderVersions)('a project of %s', (version) => {
  const older = readOlderProject(version);

  test('has no removed template of which `successors` does not say where its content went', () => {
    const app = snapshotShape.parse(JSON.parse(older.get(snapshotPath) ?? ''));
    const made = listOutputs(app, templateNames());
    const ids = new Set(made.map(({ id }) => id));
    const sources = new Set(made.map(({ source }) => source));
    const isMade = (source: string) => sources.has(source);
    const gone = Object.values(readRecord(older.get(recordPath) ?? '').files)
      .filter(({ id, policy }) => policy !== 'appended' && !ids.has(id) && !id.endsWith('.sql'))
      .map(({ id }) => id.replace(/^model:\w+\//, ''));
    const unknown = gone.filter((source) => {
      const found = findSuccession(source, isMade);
      return found === undefined || !found.successors.every(isMade);
    });
    expect([...new Set(unknown)]).toEqual([]);
  });

  test('keeps all that its owner wrote, or shows it with the place where it belongs now', async () => {
    const folder = await makeOlderProject(version);
    const edited = ownLines(folder, older);
    expect(edited.length).toBeGreaterThan(80);

    const ran = await regenerate(folder);
    const open = readOpenConflicts(folder, readRecord(diskTree(folder).read(recordPath)));
    expect(ran.code, ran.stdout + ran.stderr).toBe(open.length > 0 ? 4 : 0);
    expect(lostLines(folder, edited)).toEqual([]);

    expect((await resolve(folder)).code).toBe(open.length > 0 ? 4 : 0);
    if (open.length > 0) {
      const { code, stderr } = await resolve(folder, { ours: true });
      // An old import may lack names that the new code beside it uses.
      expect(code, stderr).toBe(stderr.includes('error SCF508') ? 4 : 0);
    }
    const after = stateOf(folder);
    expect((await regenerate(folder)).code).toBe(0);
    expect(stateOf(folder)).toEqual(after);
    expect((await check(folder)).code).toBe(0);
  });
});

test('the owner of a project of 0.1.0 is shown who may do what now', async () => {
  const ran = await regenerate(await makeOlderProject('0.1.0'), { dryRun: true });
  const note = 'Who may do what with `User` changes: refer: – → authenticated; embed: – → name.';
  expect(ran.stderr).toContain(`note SCF518  ${note}`);
});

test('a plural that an older version spelled differently is asked about, and kept when it is written down', async () => {
  const kept = settingsSchema('plural: settingses, ');
  const folder = await newProject(kept, {});
  const record = join(folder, recordPath);
  const older = readFileSync(record, 'utf8').replace(
    `"version": "${current}"`,
    '"version": "0.4.1"',
  );
  writeFileSync(record, older);

  const before = stateOf(folder);
  writeFileSync(join(folder, 'schema.yaml'), settingsSchema());
  const asked = await regenerate(folder);
  expect(asked).toMatchObject({ code: 7, stderr: expect.stringContaining('SCF519') });
  expect(asked.stderr).toContain('Settings: { plural: settingses } # or settings');

  writeFileSync(join(folder, 'schema.yaml'), kept);
  expect(stateOf(folder)).toEqual(before);
  expect((await regenerate(folder)).code).toBe(0);
  expect(readdirSync(join(folder, 'migrations'))).not.toContain('0002_rename_settingses');
  expect(existsSync(join(folder, 'src/settingses/schema.ts'))).toBe(true);
});

function settingsSchema(plural = ''): string {
  return `version: 1\napp: { name: shop }\nmodels: { Settings: { ${plural}fields: { theme: string } } }\n`;
}

function stateOf(folder: string): readonly string[] {
  const tree = diskTree(folder);
  return tree.paths().map((path) => `${path} ${hashText(tree.read(path))}`);
}
