import * as fc from 'fast-check';
import { posix } from 'node:path';
import { rm } from 'node:fs/promises';
import { parseSync } from 'oxc-parser';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { library, renamedBook, withMagazine, withSubtitle } from '../project/support/schemas.ts';
import { regenerate } from '../cli/in-process.ts';
import { say } from '../support/say.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { diskTree, type Tree } from './support/edit.ts';
import { makeProject } from './support/make-project.ts';
import { moveCode } from './support/move-code.ts';
import type { Operation } from './support/operations.ts';
import { readCase } from './support/read-case.ts';
import { lostLines, ownLines } from './support/upgrade-oracle.ts';

/** `SEED=…` repeats a run. */
const seed = searchSeed();
const numRuns = trials({ quick: 4, full: 8, deep: 300 });
say(`ways: SEED=${seed}`);

const isCode = (path: string) => /^(?:src|test)\/.*\.ts$/.test(path);

function rewrite(tree: Tree, change: (text: string, path: string) => string): void {
  for (const path of tree.paths().filter(isCode)) {
    const text = tree.read(path);
    const after = change(text, path);
    if (after !== text) tree.write(path, after);
  }
}

/** What people do with a project that is theirs; none of it changes what it does. */
const ways: Readonly<Record<string, (tree: Tree) => void | Promise<void>>> = {
  'a folder moved': (tree) => moveCode(tree, { 'src/books/': 'src/modules/books/' }),
  'a shared folder moved': (tree) => moveCode(tree, { 'src/lib/': 'src/core/' }),
  aliases: (tree) => {
    const text = tree.read('package.json');
    const table = '"imports": { "#app/*": "./src/*" },';
    tree.write('package.json', text.replace('"private": true,', `"private": true,\n  ${table}`));
    rewrite(tree, (code, path) =>
      code.replace(/'(\.\.\/[^'\n]+\.ts)'/g, (whole, specifier: string) => {
        const target = posix.join(posix.dirname(path), specifier);
        return target.startsWith('src/') ? `'#app/${target.slice(4)}'` : whole;
      }),
    );
  },
  'a barrel': (tree) => {
    tree.write('src/shelves/index.ts', "export * from './queries.ts';\n");
    rewrite(tree, (code, path) =>
      path === 'src/shelves/routes.ts' ? code.replace("'./queries.ts'", "'./index.ts'") : code,
    );
  },
  'a renamed export': (tree) =>
    rewrite(tree, (code) =>
      code.replace(/(?<![\w$.'/#])shelfPolicy(?![\w$'/])/g, 'rulesOfShelves'),
    ),
  'a loop of registrations': (tree) =>
    rewrite(tree, (code, path) => {
      if (path !== 'src/routes.ts') return code;
      const found = [
        ...code.matchAll(/ {2}await app\.register\((\w+), \{ prefix: ('[^']*') \}\);\n/g),
      ];
      const rows = found.map(([, routes, prefix]) => `[${routes}, ${prefix}]`).join(', ');
      const loop = `  const all = [${rows}] as const;\n  for (const [routes, prefix] of all) await app.register(routes, { prefix });\n`;
      return code.replace(found.map(([whole]) => whole).join(''), loop);
    }),
  'code of ones own': (tree) =>
    tree.write(
      'src/reports/longest.ts',
      [
        `import type { Book } from '${tree.paths().includes('src/books/schema.ts') ? '../books' : '../modules/books'}/schema.ts';`,
        'export function longestTitle(rows: readonly Book[]): string {',
        '  return rows.map((book) => book.title).toSorted()[0] ?? "there is none";',
        '}',
        '',
      ].join('\n'),
    ),
  'an edit in a shared function': (tree) =>
    rewrite(tree, (code) =>
      code.replace('writeUIntBE(Date.now(),', 'writeUIntBE(ofOurs(Date.now()),'),
    ),
  // The last: the others look for what was made.
  'another layout': async (tree) => {
    const settings = { semi: false, useTabs: true, printWidth: 140 };
    tree.write('.prettierrc.json', JSON.stringify(settings));
    for (const path of tree.paths().filter(isCode))
      tree.write(path, await format(tree.read(path), { ...settings, filepath: path }));
  },
};

/** A schema, and what an earlier version of scaffold had made otherwise. */
interface Change {
  readonly schema: string;
  readonly older?: readonly Operation[];
}

const changes: Readonly<Record<string, Change>> = {
  'a field more': { schema: withSubtitle },
  'a model more': { schema: withMagazine },
  'a model renamed': { schema: renamedBook },
  'two fields swapped': {
    schema: library
      .replace('title: string(1..100)', 'blurb: { type: string(1..100), was: title }')
      .replace('pages: int?', 'title: { type: int?, was: pages }'),
  },
  'a relation more': {
    schema: library.replace(
      'label: string(1..40)',
      'label: string(1..40)\n    relations:\n      book: Book',
    ),
  },
  'soft deletion': {
    schema: library.replace('label: string(1..40)', 'label: string(1..40)\n    soft_delete: true'),
  },
  'a version that moves a function': {
    schema: withSubtitle,
    older: readCase('a-newer-generator-moves-an-edited-function').older,
  },
};

type Run = (folder: string) => Promise<{ readonly code: number }>;
const run: Run = async (folder) => {
  const asked = await regenerate(folder);
  const command = /^ {2}scaffold regenerate(.*)$/m.exec(asked.stderr)?.[1] ?? '';
  if (asked.code !== 7) return asked;
  const accept = [...command.matchAll(/--accept (\S+)/g)].map(([, key = '']) => key);
  return accept.length > 0 && !command.includes('--moved') ? regenerate(folder, { accept }) : asked;
};

/** Status 0 says that all does what it did; any other that somebody has to look. Nothing is lost in either. */
async function problemOf(folder: string, work: Run): Promise<string | undefined> {
  const made = new Map(
    diskTree(await makeProject(library, []))
      .paths()
      .map((path) => [path, '']),
  );
  for (const path of made.keys()) made.set(path, diskTree(pristine).read(path));
  const own = ownLines(folder, made).filter(
    ({ path, line }) => path.startsWith('src/reports/') || line.includes('ofOurs'),
  );
  const { code } = await work(folder);
  const tree = diskTree(folder);
  const lost = lostLines(folder, own);
  if (lost.length > 0) return `lost: ${JSON.stringify(lost)}`;
  statuses.set(code, (statuses.get(code) ?? 0) + 1);
  if (code !== 0) return undefined;
  return brokenImports(tree) ?? anotherWay(tree) ?? twiceRegistered(tree) ?? otherMeaning(tree);
}

/** Where all imports from other folders are by aliases, but for those in code of ones own, none that came is by a path. */
function anotherWay(tree: Tree): string | undefined {
  if (!tree.read('package.json').includes('"#app/*"')) return undefined;
  const odd = tree.paths().filter((path) => {
    return /^src\/(?!reports).*\.ts$/.test(path) && /from ['"]\.\.\//.test(tree.read(path));
  });
  return odd.length === 0
    ? undefined
    : `${odd.join(', ')} imports by paths, where all others do not`;
}

let pristine = '';

/** How often each came out. */
const statuses = new Map<number, number>();

function brokenImports(tree: Tree): string | undefined {
  const paths = new Set(tree.paths());
  const exportsOf = (path: string): ReadonlySet<string> => {
    const { staticExports } = parseSync(path, tree.read(path)).module;
    return new Set(
      staticExports.flatMap(({ entries }) =>
        entries.flatMap(({ exportName, importName, moduleRequest }) => {
          if (moduleRequest && importName.kind.startsWith('All')) {
            return [...exportsOf(posix.join(posix.dirname(path), moduleRequest.value))];
          }
          return exportName.name ?? [];
        }),
      ),
    );
  };
  for (const path of [...paths].filter(isCode)) {
    for (const { moduleRequest, entries } of parseSync(path, tree.read(path)).module
      .staticImports) {
      const { value } = moduleRequest;
      const target = value.startsWith('.')
        ? posix.join(posix.dirname(path), value)
        : value.replace(/^#app\//, 'src/');
      if (target === value) continue;
      if (!paths.has(target)) return `${path} imports ${value}, which is not there`;
      const names = exportsOf(target);
      const missing = entries.find(
        ({ importName }) => importName.kind === 'Name' && !names.has(importName.name ?? ''),
      );
      if (missing) return `${path} imports ${missing.importName.name} of ${value}`;
    }
  }
  return undefined;
}

/** Each routes is imported and used once. */
function twiceRegistered(tree: Tree): string | undefined {
  const text = tree.read('src/routes.ts');
  const imported = [...text.matchAll(/^import \{ (?:\w+ as )?(\w+Routes) \}/gm)].map(
    ([, it]) => it,
  );
  const used = imported.map((name) => text.split(new RegExp(`\\b${name}\\b`)).length - 2);
  const registered = text.match(/\w+Routes,/g) ?? [];
  const isOnce = used.every((count) => count === 1) && registered.length === imported.length;
  return isOnce ? undefined : `src/routes.ts does not register each once:\n${text}`;
}

/** A line of ones own that says `title` means the same title. */
function otherMeaning(tree: Tree): string | undefined {
  const own = 'src/reports/longest.ts';
  const isSwapped = tree.read('schema.yaml').includes('was: pages');
  return isSwapped && tree.paths().includes(own) ? `${own} sorts by another field` : undefined;
}

interface Sample {
  readonly ways: readonly string[];
  readonly change: string;
}

const samples: fc.Arbitrary<Sample> = fc.record({
  ways: fc.uniqueArray(fc.constantFrom(...Object.keys(ways)), { minLength: 1, maxLength: 3 }),
  change: fc.constantFrom(...Object.keys(changes)),
});

async function check(work: Run, runs: number, given: fc.Arbitrary<Sample> = samples) {
  pristine ||= await makeProject(library, []);
  const property = fc.asyncProperty(given, async (sample) => {
    const change = changes[sample.change];
    const folder = await makeProject(library, change?.older ?? []);
    const chosen = Object.entries(ways).filter(([name]) => sample.ways.includes(name));
    for (const [, act] of chosen) await act(diskTree(folder));
    diskTree(folder).write('schema.yaml', change?.schema ?? '');
    const problem = await problemOf(folder, work);
    await rm(folder, { recursive: true });
    if (problem) throw new Error(`${sample.ways.join(', ')}; ${sample.change}: ${problem}`);
  });
  await fc.assert(property, { numRuns: runs, seed, endOnFailure: true });
}

test('whatever way people have with a project, status 0 says that all does what it did', async () => {
  await check(run, numRuns);
  say(`ways: ${[...statuses].map(([code, count]) => `status ${code}: ${count}`).join(', ')}`);
  // Where nearly every run stops, nothing is shown.
  expect((statuses.get(0) ?? 0) * 3).toBeGreaterThan(numRuns);
});

const spoiling =
  (spoil: (tree: Tree) => void): Run =>
  async (folder) => {
    const done = await run(folder);
    spoil(diskTree(folder));
    return { ...done, code: 0 };
  };

const faults: Readonly<Record<string, readonly [string, string, Run, RegExp]>> = {
  'an alias leads nowhere': [
    'aliases',
    'a field more',
    spoiling((tree) => rewrite(tree, (code) => code.replace('#app/lib/', '#app/libs/'))),
    /which is not there/,
  ],
  'a moved file counts as deleted': [
    'a shared folder moved',
    'a model more',
    spoiling((tree) =>
      rewrite(tree, (code, path) =>
        path.includes('magazines') ? code.replace('../core/', '../lib/') : code,
      ),
    ),
    /which is not there/,
  ],
  'a barrel has a name less': [
    'a barrel',
    'a field more',
    spoiling((tree) => tree.write('src/shelves/index.ts', 'export {};\n')),
    /imports \w+ of \.\/index\.ts/,
  ],
  'a renamed export comes by its old name': [
    'a renamed export',
    'a model more',
    spoiling((tree) =>
      rewrite(tree, (code, path) =>
        path.endsWith('shelves/schema.ts')
          ? code.replace('{ rulesOfShelves', '{ shelfPolicy')
          : code,
      ),
    ),
    /imports shelfPolicy of/,
  ],
  'a resource is registered twice': [
    'a loop of registrations',
    'a model renamed',
    spoiling((tree) =>
      rewrite(tree, (code, path) =>
        path === 'src/routes.ts'
          ? code
              .replace('} as const', ', [shelfRoutes, 1]')
              .replace(/\n\}/, '\n  app.register(shelfRoutes, {});\n}')
          : code,
      ),
    ),
    /does not register each once/,
  ],
  'a swap is passed in silence': [
    'code of ones own',
    'two fields swapped',
    spoiling(() => {}),
    /sorts by another field/,
  ],
  'a new import is by a path, not by the alias': [
    'aliases',
    'soft deletion',
    spoiling((tree) =>
      rewrite(tree, (code, path) =>
        path === 'src/shelves/queries.ts' ? code.replace("'#app/", "'../") : code,
      ),
    ),
    /imports by paths/,
  ],
  'an edit in a function that moved is lost': [
    'an edit in a shared function',
    'a version that moves a function',
    spoiling((tree) => rewrite(tree, (code) => code.replace('ofOurs(Date.now())', 'Date.now()'))),
    /lost/,
  ],
  'a line of ones own is lost': [
    'code of ones own',
    'a field more',
    spoiling((tree) => tree.write('src/reports/longest.ts', '')),
    /lost/,
  ],
};

test.each(Object.entries(faults))(
  'a run is caught where %s',
  async (_, [way, change, work, message]) => {
    const given = fc.constant({ ways: [way], change });
    await expect(check(work, 1, given)).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringMatching(message) }),
    });
  },
);
