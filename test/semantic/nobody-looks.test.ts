import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { collectMisfits } from '../../src/commands/regenerate/semantic/misfits.ts';
import { withOwnerCode } from '../../src/commands/regenerate/semantic/owner-code.ts';
import { renameUses } from '../../src/commands/regenerate/rename-uses.ts';
import { newProject, planned } from '../support/changed-project.ts';
import { root } from '../support/root.ts';

const minimal = readFileSync(join(root, 'fixtures/apps/minimal/schema.yaml'), 'utf8');
const schema = minimal.replace('      done: bool', '      pinned: bool = false\n      done: bool');
const { signal } = new AbortController();

describe('nothing is checked', () => {
  let folder = '';

  beforeAll(async () => {
    folder = await newProject(minimal, {});
  });

  test('where there is no code of the owner', async () => {
    const run = await planned(folder, schema, []);
    expect(
      await withOwnerCode(run.project, run.regeneration, signal, (code) =>
        collectMisfits(code, run.regeneration),
      ),
    ).toEqual({
      misfits: [],
      mentions: [],
      uses: [],
      changedQueries: [],
    });
  });

  test('without packages; that is reported', async () => {
    await writeFile(join(folder, 'src/feed.ts'), 'export {};\n');
    const run = await planned(folder, schema, []);
    expect(
      await withOwnerCode(run.project, run.regeneration, signal, (code) =>
        collectMisfits(code, run.regeneration),
      ),
    ).toEqual({
      misfits: [],
      mentions: [],
      uses: [],
      changedQueries: [],
      unchecked: 'TypeScript is not installed in the project.',
    });
    expect(
      await withOwnerCode(run.project, run.regeneration, signal, (code) =>
        renameUses(code, run.regeneration),
      ),
    ).toEqual(run.regeneration);
  });
});
