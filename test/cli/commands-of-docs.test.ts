import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../src/commands/command-line.ts';
import { listNextSteps } from '../../src/commands/new-steps.ts';
import { commandsOf, type Told } from '../support/commands.ts';
import { root } from '../support/root.ts';

const ours = ['README.md', 'AGENTS.md', 'docs/architecture.md', 'docs/security.md'];
const docs = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  // Its examples are those of `explain`; half of them are wrong on purpose.
  .filter((page) => page !== 'docs/errors.md');
const emitted = ['sqlite', 'postgres'].flatMap((engine) =>
  ['README.md', 'AGENTS.md'].map((page) => `fixtures/apps/blog/${engine}/${page}`),
);
const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)));

const read = (page: string) => readFileSync(join(root, page), 'utf8');
const scriptsOf = (folder: string): readonly string[] =>
  Object.keys(JSON.parse(read(`${folder}/package.json`)).scripts);
const ourScripts = scriptsOf('.');
/** `db:copy` is there when a project has changed its engine, `user:token` where people sign in elsewhere. */
const theirScripts = [
  ...scriptsOf('fixtures/apps/blog/sqlite'),
  ...scriptsOf('fixtures/apps/blog/postgres'),
  'db:copy',
  'user:token',
];

test.each([...new Set([...ours, ...docs])])('%s has commands that exist', (page) => {
  const scripts = ours.includes(page) ? [...ourScripts, ...theirScripts] : theirScripts;
  expect(wrongOf(commandsOf(read(page)), scripts)).toEqual([]);
});

test.each(emitted)('%s has commands that exist', (page) => {
  const told = commandsOf(read(page));
  expect(told.length).toBeGreaterThan(page.endsWith('README.md') ? 15 : 2);
  expect(wrongOf(told, scriptsOf(page.replace(/\/[^/]*$/, '')))).toEqual([]);
});

test('messages and help of the program have commands that exist', () => {
  const told = sources.flatMap((file) =>
    read(file)
      .replaceAll('\\`', '`')
      .split('\n')
      .map((line) => line.replace(/^ {2}(scaffold .*?)( {2,}.*)?$/, '`$1`'))
      .flatMap((line) => commandsOf(line))
      .filter(({ words }) => words.every((word) => !/[${}]/.test(word)))
      .map(({ words }) => ({ line: 0, words })),
  );
  expect(told.length).toBeGreaterThan(30);
  expect(wrongOf(told, theirScripts)).toEqual([]);
});

test('its next steps have commands that exist', () => {
  const steps = listNextSteps(
    { folder: '/' },
    { folder: '/my-api', manager: 'npm' },
    { isInstalled: false },
  );
  const text = steps.map(({ command }) => `\`${command}\``).join('\n');
  expect(wrongOf(commandsOf(text), theirScripts)).toEqual([]);
});

test.each([
  ['an option that is not there', '`scaffold new my-api --exmaple blog`', '--exmaple'],
  ['a value that is not allowed', '```sh\nnpx scaffold new x --pm cargo\n```\n', 'cargo'],
  ['a command that is not there', 'Run `npx scaffold init`.', 'init'],
  ['a script that is not there', '```sh\ncd x && npm run migrate\n```\n', 'migrate'],
  ['a package that somebody else could publish', 'Run `npx scaffold-server check`.', 'publish'],
  ['a word too many', '`scaffold check a b`', 'a b'],
])('a page with %s is wrong', (_, page, mention) => {
  expect(wrongOf(commandsOf(page), theirScripts).join('\n')).toContain(mention);
});

function wrongOf(told: readonly Told[], scripts: readonly string[]): readonly string[] {
  return told.flatMap(({ line, words }) => {
    const flaw = flawOf(words, scripts);
    return flaw === undefined ? [] : [`${line}: ${words.join(' ')}: ${flaw}`];
  });
}

function flawOf(
  [head = '', ...words]: readonly string[],
  scripts: readonly string[],
): string | undefined {
  if (head === 'scaffold') return flawOfScaffold(words);
  if (head.startsWith('scaffold-server')) return 'nobody has published it: somebody else could';
  if (head !== 'npm') return undefined;
  const [command, script = ''] = words;
  if (command === 'test' || command === 'start') {
    return scripts.includes(command) ? undefined : 'no such script';
  }
  if (command !== 'run')
    return npmCommands.has(command ?? '') ? undefined : 'no such command of npm';
  return scripts.includes(script) || /[*…]/.test(script) ? undefined : 'no such script';
}

const npmCommands = new Set([
  'ci',
  'create',
  'install',
  'link',
  'publish',
  'pack',
  'prune',
  'sbom',
]);

const nothing = () => undefined;

function flawOfScaffold(words: readonly string[]): string | undefined {
  const [first = ''] = words;
  if (first === '…' || first.startsWith('<')) return undefined;
  try {
    createProgram(nothing, nothing).parse(
      words.map((word) => word.replace(/…$/, '')).filter((word) => word !== '' && word !== '[dir]'),
      { from: 'user' },
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? undefined : error.message;
  }
}
