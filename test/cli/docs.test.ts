import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createProgram } from '../../src/commands/command-line.ts';
import { parseSchema } from '../../src/schema/parse.ts';
import { root } from '../support/root.ts';
import { commandLine } from './in-process.ts';

const pages = [
  'README.md',
  'AGENTS.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const read = (page: string) => readFileSync(join(root, page), 'utf8');

test.each(pages)('%s links to pages that exist, and to headings in them', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
  const missing = links.filter(([, to = '', heading]) => {
    const target = to === '' ? page : join(dirname(page), to);
    if (!existsSync(join(root, target))) return true;
    return heading !== undefined && !headingsOf(target).includes(heading);
  });
  expect(missing.map(([link]) => link)).toEqual([]);
});

test('docs/security.md names tests that exist', () => {
  const [, promises = ''] = read('docs/security.md').split('## Promises');
  const named = [...promises.matchAll(/`((?:test|templates|fixtures)\/[^`]+)`/g)];
  expect(named.length).toBeGreaterThan(15);
  const missing = named.filter(([, path = '']) => !existsSync(join(root, path)));
  expect(missing.map(([, path]) => path)).toEqual([]);
});

test.each([
  'AGENTS.md',
  'docs/architecture.md',
  ...pages.filter((page) => page.startsWith('docs/decisions/')),
])('%s names source files that exist', (page) => {
  const named = [...read(page).matchAll(/`([\w./-]+\.(?:ts|hbs))`/g)].map(([, path = '']) => path);
  const missing = named.filter((path) => !sources.some((source) => source.endsWith(`/${path}`)));
  expect(missing.filter((path) => !examplePaths.has(path))).toEqual([]);
});

/** Their paths, each after a slash, as they stand and as projects have them. */
const sources = ['src', 'test', 'templates', 'runner', 'bench', 'fixtures/apps'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const path = `/${folder}/${name.replaceAll('\\', '/')}`;
    return [path, path.replace(/\.hbs$/, '')];
  }),
);

/** The file of a type that somebody adds. */
const examplePaths = new Set(['src/types/duration.ts']);

/** As GitHub names them. */
function headingsOf(page: string): readonly string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

test.each(['README.md', 'docs/tutorial.md', 'docs/access.md'])(
  '%s shows a schema that is sound',
  (page) => {
    const schemas = [...read(page).matchAll(/```yaml.*\n(version: 1\n[\s\S]*?)```/g)];
    const problems = schemas.flatMap(([, text = '']) => parseSchema(text).problems);
    expect(problems).toEqual([]);
    expect(schemas).not.toEqual([]);
  },
);

test('docs/clients.md shows the front ends that are tested, as they are', () => {
  const shown = [
    ...read('docs/clients.md').matchAll(/^### \[.*\]\((.*)\)\n[^]*?```ts\n([^]*?)```$/gm),
  ];
  const names = shown.map(([, file = '']) => file.replace('../fixtures/clients/', ''));
  expect(names).toEqual(['page/main.ts', 'react/queries.ts']);
  for (const [, file = '', code] of shown) expect(code).toBe(read(join('docs', file)));
});

test('CI runs the command of the README, and then everything', () => {
  expect(read('README.md')).toContain('```sh\nnpm ci && npm test\n```');
  const commands = read('.ci/run').match(/npm (?:ci|test|run [\w:]+)/g);
  expect(commands).toEqual(['npm ci', 'npm test', 'npm run test:full']);
});

const nothing = () => undefined;

test('docs/cli.md has every command and option, and no other', async () => {
  const commands = createProgram(nothing, nothing).commands.map((command) => command.name());
  const [table = ''] = read('docs/cli.md').split('\nOptions for every command');
  const listed = new Set([...table.matchAll(/^\| `(\w+)/gm)].map(([, name]) => name));
  expect([...listed].toSorted()).toEqual(commands.toSorted());
  const helps = await Promise.all(
    [[], ...commands.map((command) => [command])].map((words) =>
      commandLine([...words, '--help'], { cwd: tmpdir() }),
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
