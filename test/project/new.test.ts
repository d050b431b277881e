import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import { buildApp } from '../../src/model/build.ts';
import { prepareRemoval } from '../../src/commands/remove-created.ts';
import { applyNew, planNew } from '../../src/project/new-project.ts';
import { basePath, hashText } from '../../src/project/paths.ts';
import { readRecord } from '../../src/project/record.ts';
import { renderNew } from '../../src/project/render-project.ts';
import { parseSchema } from '../../src/schema/parse.ts';
import { emit } from '../support/emit.ts';
import { root } from '../support/root.ts';

const text = readFileSync(join(root, 'templates/examples/minimal.yaml'), 'utf8');
const { schema } = parseSchema(text);
if (!schema) throw new Error('The example is wrong.');
const app = buildApp(schema);
const rendered = renderNew(app, text);

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'scaffold-new-'));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

test('editors suggest a model by its name in the schema, whatever its type is called', () => {
  const files = emit(
    'version: 1\napp: { name: notes }\nmodels: { Page: { fields: { title: string } }, Note: { relations: { page: Page } } }',
  );
  const suggested = files.find(({ path }) => path === '.scaffold/schema.v1.json')?.content;
  expect(suggested).toContain('"Page[]"');
  expect(suggested).not.toContain('PageRecord');
});

describe('planning', () => {
  test('a folder that is not there yet, or empty, takes every file', () => {
    const empty = join(home, 'empty');
    mkdirSync(empty);
    for (const folder of [empty, join(home, 'not/there/yet')]) {
      const changes = planNew(rendered, { folder, force: false });
      expect(changes.map(({ path }) => path)).toEqual(rendered.map(({ path }) => path));
      expect(new Set(changes.map(({ action }) => action))).toEqual(new Set(['create']));
    }
  });

  test('a folder in use is refused, unless forced and none of our files is there', () => {
    writeFileSync(join(home, 'letter.txt'), 'Dear Ann');
    expect(() => planNew(rendered, { folder: home, force: false })).toThrow('is not empty');
    expect(planNew(rendered, { folder: home, force: true })).toHaveLength(rendered.length);
    mkdirSync(join(home, 'src'));
    writeFileSync(join(home, 'src/app.ts'), '');
    expect(() => planNew(rendered, { folder: home, force: true })).toThrow('`src/app.ts`');
  });

  test('a file, and a link to elsewhere, are not taken for a folder', () => {
    writeFileSync(join(home, 'file'), '');
    expect(() => planNew(rendered, { folder: join(home, 'file'), force: true })).toThrow(
      'not a folder',
    );
    symlinkSync(tmpdir(), join(home, 'src'));
    expect(() => planNew(rendered, { folder: home, force: true })).toThrow('`src`');
  });

  test.each([
    '../outside.ts',
    '/etc/passwd',
    'src/.git/config',
    'a\\b.ts',
    'src//a.ts',
    'src/con.ts',
    'a\0b',
  ])('the path %j is refused', (path) => {
    const [file] = rendered;
    if (!file) throw new Error('Nothing is rendered.');
    expect(() => planNew([{ ...file, path }], { folder: join(home, 'a'), force: false })).toThrow(
      UserError,
    );
  });

  test('two paths that are the same on a case-insensitive disk are refused', () => {
    const [file] = rendered;
    if (!file) throw new Error('Nothing is rendered.');
    const twins = [file, { ...file, path: file.path.toUpperCase() }];
    expect(() => planNew(twins, { folder: join(home, 'a'), force: false })).toThrow(
      'file names that are not allowed',
    );
  });
});

describe('applying', () => {
  test('writes every file, and a record that knows each', async () => {
    const folder = join(home, 'deep/zoo');
    await applyNew(rendered, { app, folder });
    for (const { path, content } of rendered)
      expect(readFileSync(join(folder, path), 'utf8')).toBe(content);

    const record = readRecord(readFileSync(join(folder, '.scaffold/lock.json'), 'utf8'));
    const tracked = rendered.filter(({ path }) => !/^\.scaffold\/|^schema\.yaml$/.test(path));
    expect(Object.keys(record.files)).toEqual(tracked.map(({ path }) => path));
    for (const { path, content } of tracked.filter(({ policy }) => policy !== 'appended')) {
      expect(record.files[path]?.base).toBe(hashText(content));
      expect(readFileSync(join(folder, basePath(path)), 'utf8')).toBe(content);
    }
    expect(hashText(readFileSync(join(folder, '.scaffold/schema.json'), 'utf8'))).toBe(
      record.schema,
    );
    expect(readdirSync(join(home, 'deep'))).toEqual(['zoo']);
    expect(statSync(folder).mode & 0o777).toBe(0o777 & ~process.umask());
  });

  test('into an existing folder, writes beside what is in it', async () => {
    writeFileSync(join(home, 'letter.txt'), 'Dear Ann');
    await applyNew(rendered, { app, folder: home });
    expect(readFileSync(join(home, 'letter.txt'), 'utf8')).toBe('Dear Ann');
    expect(existsSync(join(home, 'src/app.ts'))).toBe(true);
    expect(readdirSync(home).filter((name) => name.includes('-'))).toEqual([]);
  });

  test('keeps a file that is in the way, and leaves nothing of the run', async () => {
    mkdirSync(join(home, 'src'));
    writeFileSync(join(home, 'src/server.ts'), 'mine');
    const removeCreated = await prepareRemoval(home);
    await expect(applyNew(rendered, { app, folder: home })).rejects.toThrow('EEXIST');
    await removeCreated();
    expect(readdirSync(home, { recursive: true })).toEqual(['src', 'src/server.ts']);
    expect(readFileSync(join(home, 'src/server.ts'), 'utf8')).toBe('mine');
  });

  test.skipIf(process.getuid?.() === 0)(
    'leaves nothing behind where nothing may be written',
    async () => {
      chmodSync(home, 0o500);
      await expect(applyNew(rendered, { app, folder: join(home, 'zoo') })).rejects.toThrow(
        'EACCES',
      );
      chmodSync(home, 0o700);
      expect(readdirSync(home)).toEqual([]);
    },
  );
});
