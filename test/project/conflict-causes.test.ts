import { expect, test } from 'vitest';
import { mergeFile } from '../../src/project/plan/merge-file.ts';

const base = `send('an admin', 'reset');\nlimit(10);\n`;
const content = `send('an admin', 'once');\nlimit(20);\n`;

/** The causes named for each conflict, given for each change the text of the file without it. */
async function causesOf(without: Readonly<Record<string, string | undefined>>, ours: string) {
  const file = {
    id: 'a',
    path: 'a.ts',
    mode: '644',
    content,
    kind: 'ts',
    policy: 'merged',
  } as const;
  const names = { everywhere: new Map(), inModel: new Map(), ofModels: new Map() };
  const renamed = { ...names, unchanged: new Set<string>() };
  const changes = Object.entries(without).map(([name, text]) => ({
    name,
    textWithout: () => text,
  }));
  const step = { changes, renamed, onConflict: 'markers' } as const;
  const { conflicts } = await mergeFile(file, { base, ours }, step);
  return conflicts.map((it) => it.elements);
}

const once = content.replace('once', 'reset');
const limit = content.replace('20', '10');

test('a change without which there is no conflict is its cause', async () => {
  const ours = base.replace('reset', 'ours');
  expect(await causesOf({ 'User.password': once, 'Post.title': limit }, ours)).toEqual([
    ['User.password'],
  ]);
});

test('each of two conflicts has its own cause', async () => {
  const ours = base.replace('reset', 'ours').replace('10', '15');
  expect(await causesOf({ 'User.password': once, 'Post.title': limit }, ours)).toEqual([
    ['User.password'],
    ['Post.title'],
  ]);
});

test('a change that does not affect the file, or only changed a place beside it, is not named', async () => {
  const ours = base.replace('reset', 'ours');
  expect(await causesOf({ 'Post.access': content, 'Post.title': limit }, ours)).toEqual([[]]);
});

test('a change that cannot be left out is named only when it is the only one', async () => {
  const ours = base.replace('reset', 'ours');
  expect(await causesOf({ Post: undefined, 'Post.title': limit }, ours)).toEqual([['Post']]);
  expect(await causesOf({ Post: undefined, User: undefined }, ours)).toEqual([[]]);
});
