import { expect, test } from 'vitest';
import { isSafePath } from '../../src/project/paths.ts';
import { spellModel } from '../../src/naming/name.ts';
import { emit } from '../support/emit.ts';

const ours = ['sqlite', 'postgres'].flatMap((engine) => {
  const head = `version: 1\napp: { name: dictionary }\ndatabase: ${engine}\n`;
  return emit(`${head}models: { Word: { fields: { spelling: string } } }\n`)
    .flatMap(({ path }) => /^src\/([^/]+)\/|^test\/([^/.]+)\.test\.ts$/.exec(path)?.slice(1) ?? [])
    .filter((name) => name !== undefined && !['users', 'words'].includes(name));
});
const numbers = Array.from({ length: 9 }, (_, index) => index + 1);
const ofWindows = [
  'aux',
  'con',
  'nul',
  'prn',
  ...numbers.flatMap((at) => [`com${at}`, `lpt${at}`]),
];

test.each([...new Set([...ours, ...ofWindows])])(
  'a model whose plural is `%s` has files of its own, on every system',
  (name) => {
    const { folder } = spellModel('Item', name);
    expect(folder).toBe('item-records');
    expect(isSafePath(folder)).toBe(true);
  },
);

test('a model with the name of a type in the code keeps its name where its files are listed', () => {
  const app = 'version: 1\napp: { name: archive }\n';
  const files = emit(`${app}models: { Record: { fields: { title: string } } }\n`);
  expect(files.find(({ path }) => path === 'src/records/schema.ts')?.model).toBe('Record');
});
