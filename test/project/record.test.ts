import { expect, test } from 'vitest';
import { printRecord, readRecord, type Record } from '../../src/project/record.ts';

const hash = `sha256:${'0'.repeat(64)}`;
const file = { id: 'src/app.ts', base: hash, mode: '644', kind: 'ts', policy: 'yours' } as const;
const record: Record = {
  lockVersion: 1,
  generator: { name: 'scaffold-server', version: '0.1.0' },
  templates: hash,
  options: { database: 'sqlite' },
  schema: hash,
  files: { 'README.md': { ...file, id: 'README.md' }, 'src/app.ts': { ...file, state: 'ejected' } },
};

test('what was printed is read back', () => {
  expect(readRecord(printRecord(record))).toEqual(record);
});

test('every file has a line of its own', () => {
  const lines = printRecord(record).split('\n');
  expect(lines.filter((line) => line.includes('"policy"'))).toHaveLength(2);
});

test.each([
  '../app.ts',
  '/app.ts',
  'C:\\app.ts',
  'src/../../app.ts',
  '.git/hooks/pre-commit',
  'src/.GIT/x',
  '',
])('a record that names the path %j is refused', (path) => {
  expect(() => readRecord(printRecord({ ...record, files: { [path]: file } }))).toThrow('damaged');
});

test.each([
  ['no JSON', '{'],
  ['a list', '[]'],
  ['another version', printRecord(record).replace('"lockVersion": 1', '"lockVersion": 2')],
  ['an unknown key', printRecord(record).replace('"lockVersion"', '"extra": 1, "lockVersion"')],
  ['a hash of another kind', printRecord(record).replaceAll('sha256', 'md5')],
])('%s is refused', (_, text) => {
  expect(() => readRecord(text)).toThrow('damaged');
});
