import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parseSchema } from '../../src/schema/parse.ts';
import { root } from '../support/root.ts';
import { scaffold } from './scaffold.ts';

const pages = [
  'README.md',
  'AGENTS.md',
  'docs/guide.md',
  'docs/cli.md',
  'docs/regenerate.md',
  'docs/migrations.md',
  'docs/schema.md',
  'docs/errors.md',
  'docs/architecture.md',
];
const read = (page: string) => readFileSync(join(root, page), 'utf8');

test.each(pages)('%s links to pages that are there', (page) => {
  const targets = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to = '']) => to);
  const missing = targets.filter((to) => !existsSync(join(root, dirname(page), to)));
  expect(missing).toEqual([]);
});

test.each(['README.md', 'docs/guide.md'])('%s shows a schema that is sound', (page) => {
  const schemas = [...read(page).matchAll(/```yaml\n(version: 1\n[\s\S]*?)```/g)];
  const problems = schemas.flatMap(([, text = '']) => parseSchema(text, page).problems);
  expect(problems).toEqual([]);
  expect(schemas).not.toEqual([]);
});

test('CI runs the command of the README', () => {
  expect(read('README.md')).toContain('```sh\nnpm ci && npm test\n```');
  const commands = read('.ci/run').match(/npm (?:ci|test|run [\w:]+)/g);
  expect(commands).toEqual(['npm ci', 'npm test']);
});

test('docs/cli.md has every command and option, and no other', async () => {
  const commands = ['new', 'regenerate', 'check', 'resolve', 'explain', 'completion'];
  const helps = await Promise.all(
    [[], ...commands.map((command) => [command])].map((words) =>
      scaffold([...words, '--help'], { cwd: tmpdir() }),
    ),
  );
  const offered = new Set(
    helps.flatMap(({ stdout }) => stdout.match(/(?<=^ {2}.*)--[a-z][a-z-]*/gm)),
  );
  const documented = new Set(read('docs/cli.md').match(/--[a-z][a-z-]*(?![a-z-]*:)/g));
  // On by default; the page names their opposites.
  for (const option of ['--install', '--git']) offered.delete(option);
  expect([...documented].toSorted()).toEqual([...offered].toSorted());
});
