import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFile } from '../../fixtures/apps/blog/sqlite/migrations/migrate.js';
import { openFile } from '../../fixtures/apps/blog/sqlite/src/database/file.ts';
import { scratchFolder } from '../support/scratch.ts';

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

test.skipIf(process.platform === 'win32')(
  'a new SQLite file, and those beside it, can be read only by their owner',
  async () => {
    const folder = join(await scratchFolder('mode'), 'var');
    const file = join(folder, 'app.db');
    const before = process.umask(0);
    makeFile(file);
    const database = openFile(file);
    database.exec('create table notes (text text); insert into notes values (1)');
    const names = readdirSync(folder);
    expect(names.length).toBeGreaterThan(1);
    expect(names.map((name) => modeOf(join(folder, name)))).toEqual(names.map(() => '600'));
    database.close();
    process.umask(before);
  },
);

test('the mode of an existing file stays as it is', async () => {
  const file = join(await scratchFolder('mode'), 'app.db');
  makeFile(file);
  chmodSync(file, 0o640);
  makeFile(file);
  expect(modeOf(file)).toBe('640');
});

test('a file that cannot be made is reported as one that cannot be opened', async () => {
  const folder = await scratchFolder('mode');
  mkdirSync(join(folder, 'app.db'));
  makeFile(join(folder, 'app.db'));
  expect(() => openFile(join(folder, 'app.db'))).toThrow(/unable to open/);
  expect(() => makeFile('/dev/null/app.db')).toThrow(expect.objectContaining({ errcode: 14 }));
  expect(existsSync('/dev/null/app.db')).toBe(false);
});
