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
