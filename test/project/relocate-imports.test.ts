import { expect, test } from 'vitest';
import type { Disk } from '../../src/project/disk.ts';
import type { FileChange } from '../../src/project/plan.ts';
import { relocateImports } from '../../src/project/plan/relocate-imports.ts';

const present = new Set([
  'src/config.ts',
  'src/posts/helpers.ts',
  'src/posts/parts/index.ts',
  'src/posts/queries.ts',
  'src/posts/routes.ts',
]);
const disk: Disk = (path) =>
  present.has(path) ? { kind: 'text', text: '', mode: '644', isReadOnly: false } : undefined;

function moved(name: string, after: string): FileChange {
  const path = `src/articles/${name}`;
  const facts = { action: 'move', reason: '', mode: '644', conflicts: [] } as const;
  return { ...facts, path, from: `src/posts/${name}`, before: '', after };
}

test.each([
  ['what stays', `import './helpers.ts';`, `import '../posts/helpers.ts';`],
  ['without an ending', `import("./helpers")`, `import("../posts/helpers")`],
  ['with that of the built file', `from './helpers.js'`, `from '../posts/helpers.js'`],
  ['a folder', `from './parts'`, `from '../posts/parts'`],
  ['what moves too', `from './queries.ts'`, `from './queries.ts'`],
  ['what is above', `from '../config.ts'`, `from '../config.ts'`],
  ['what is nowhere', `from './nobody.ts'`, `from './nobody.ts'`],
  ['a text', `say('./helpers.ts is here')`, `say('./helpers.ts is here')`],
])('an import of a moved file: %s', (_, before, after) => {
  const changes = [moved('routes.ts', before), moved('queries.ts', '')];
  expect(relocateImports(changes, disk).map((it) => it.after)).toEqual([after, '']);
});
