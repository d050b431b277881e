import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { merge } from '../../src/merge/merge.ts';
import { root } from '../support/root.ts';

/** Only what is built can run in a thread. */
const built: typeof import('../../src/system/merge-thread.ts') = await import(
  pathToFileURL(join(root, 'dist/system/merge-thread.js')).href
);

const labels = { base: 'base', mine: 'yours', theirs: 'scaffold' };
const texts = {
  base: 'export const limits = { page: 50, body: 1 };\n',
  mine: 'export const limits = { page: 20, body: 1 };\n',
  theirs: 'export const limits = { page: 70, body: 1, title: 80 };\n',
};

test('in a thread of its own, TypeScript is merged as it is in this one', async () => {
  const input = { ...texts, kind: 'ts', labels } as const;
  const expected = await merge(input);
  expect(expected.conflicts).toHaveLength(1);
  await built.withMergeThread(async (mergeTypeScript) => {
    expect(mergeTypeScript).toBeDefined();
    const both = [merge({ ...input, mergeTypeScript }), merge({ ...input, mergeTypeScript })];
    expect(await Promise.all(both)).toEqual([expected, expected]);
  });
});

test('what goes wrong in the thread reaches whoever waits for it', async () => {
  const mine: string = JSON.parse('null');
  const merged = built.withMergeThread(async (mergeTypeScript) =>
    mergeTypeScript?.({ ...texts, mine }, labels, new Map()),
  );
  await expect(merged).rejects.toThrow(TypeError);
});
