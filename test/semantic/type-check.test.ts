import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { NoTypeCheck, withTypeCheck } from '../../src/system/project-compiler.ts';
import { compareTrees, readTree, writeText } from '../project/kill/tree.ts';
import { root } from '../support/root.ts';
import { scratchFolder } from '../support/scratch.ts';

const settings = { strict: true, module: 'nodenext', types: [], allowImportingTsExtensions: true };

/** A project in a repository with others: settings, packages and code of its neighbours are above it. */
describe('a project that shares a repository', () => {
  let repository = '';
  let folder = '';
  const at = () => ({
    folder,
    trusted: new Set(['src/trusted.ts', 'src/other/trusted.ts']),
    interruption: new AbortController().signal,
  });

  beforeAll(async () => {
    repository = await scratchFolder('repository');
    folder = join(repository, 'packages/api');
    mkdirSync(join(repository, '.git'));
    symlinkSync(join(root, 'node_modules'), join(repository, 'node_modules'));
    writeText(repository, 'tsconfig.base.json', JSON.stringify({ compilerOptions: settings }));
    writeText(repository, 'packages/shared/post.ts', 'export interface Post { title: string }\n');
    writeText(
      folder,
      'tsconfig.json',
      '{ "extends": "../../tsconfig.base.json", "include": ["src"] }',
    );
    writeText(folder, 'package.json', '{ "type": "module" }');
    writeText(
      folder,
      'src/card.ts',
      "import type { Post } from '../../shared/post.ts';\nexport const card = ({ title }: Post) => title.trim();\n",
    );
    writeText(folder, 'src/use.ts', "import { card } from './card.ts';\ncard({ title: '' });\n");
  });

  test('is checked as it is and as it would be, and nothing is written', async () => {
    const before = readTree(join(repository, 'packages'));
    const results = await withTypeCheck(at(), async (check) => [
      await check(new Map()),
      await check(new Map([['src/card.ts', undefined]])),
      await check(new Map([['src/other/deep.ts', 'export const deep: string = 1;\n']])),
      await check(new Map()),
    ]);
    expect(results).toMatchObject([
      [],
      [{ path: 'src/use.ts', line: 1, column: 22, code: 'TS2307' }],
      [{ path: 'src/other/deep.ts', line: 1, column: 14, code: 'TS2322' }],
      [],
    ]);
    expect(compareTrees(before, readTree(join(repository, 'packages')))).toEqual([]);
  });

  test('is not checked where it is trusted, but the exports there are known', async () => {
    const trusted = 'const inside: string = 1;\nexport const length: number = inside.length;\n';
    writeText(folder, 'src/trusted.ts', trusted);
    const results = await withTypeCheck(at(), async (check) => [
      await check(
        new Map([
          ['src/other/trusted.ts', trusted],
          ['src/use.ts', "import { length } from './trusted.ts';\n\nlength.trim();\n"],
          ['src/another.ts', "import { length } from './other/trusted.ts';\nlength.trim();\n"],
        ]),
      ),
      await check(new Map([['src/trusted.ts', undefined]])),
    ]);
    expect(results).toMatchObject([
      [
        { path: 'src/another.ts', line: 2, column: 8, code: 'TS2339' },
        { path: 'src/use.ts', line: 3, column: 8, code: 'TS2339' },
      ],
      [],
    ]);
  });

  test('is not checked without settings', async () => {
    const elsewhere = { ...at(), folder: join(repository, 'packages/shared') };
    await expect(withTypeCheck(elsewhere, (check) => check(new Map()))).rejects.toThrow(
      NoTypeCheck,
    );
  });
});
