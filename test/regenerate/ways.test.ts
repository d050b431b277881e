import * as fc from 'fast-check';
import { posix } from 'node:path';
import { rm } from 'node:fs/promises';
import { type EcmaScriptModule, parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { library } from '../project/support/schemas.ts';
import { regenerate } from '../cli/in-process.ts';
import { say } from '../support/say.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { diskTree, type Tree } from './support/edit.ts';
import { makeProject } from './support/make-project.ts';
import { lostLines, ownLines } from './support/upgrade-oracle.ts';
import { type Change, changes, isCode, rewrite, schemaAfter, start, ways } from './support/ways.ts';

/** `SEED=…` repeats a run. */
const seed = searchSeed();
const numRuns = trials({ quick: 4, full: 8, deep: 300 });
say(`ways: SEED=${seed}`);

type Run = (folder: string) => Promise<{ readonly code: number }>;
const run: Run = async (folder) => {
  const asked = await regenerate(folder);
  if (asked.code !== 7) return asked;
  const command = /^ {2}npx scaffold regenerate(.*)$/m.exec(asked.stderr)?.[1];
  if (command === undefined) throw new Error(`No way on is printed:\n${asked.stderr}`);
  const accept = [...command.matchAll(/--accept (\S+)/g)].map(([, key = '']) => key);
  return accept.length > 0 && !command.includes('--moved') ? regenerate(folder, { accept }) : asked;
};

/** Status 0 means that everything does what it did; any other, that somebody has to look. Nothing is lost in either case. */
async function problemOf(
  folder: string,
  { isSwap = false }: Change,
  work: Run,
): Promise<string | undefined> {
  const fresh = diskTree(pristine);
  const made = new Map(fresh.paths().map((path) => [path, fresh.read(path)]));
  const own = ownLines(folder, made).filter(
    ({ path, line }) => path.startsWith('src/reports/') || line.includes('ofOurs'),
  );
  const { code } = await work(folder);
  const tree = diskTree(folder);
  const lost = lostLines(folder, own);
  if (lost.length > 0) return `lost: ${JSON.stringify(lost)}`;
  statuses.set(code, (statuses.get(code) ?? 0) + 1);
  if (code !== 0) return undefined;
  const problem = brokenImports(tree) ?? anotherWay(tree) ?? twiceRegistered(tree);
  return problem ?? (isSwap ? otherMeaning(tree) : undefined);
}

/** Where all imports from other folders are by aliases, except those in the owner's code, no new one is by a path. */
function anotherWay(tree: Tree): string | undefined {
  if (!tree.read('package.json').includes('"#app/*"')) return undefined;
  const odd = tree.paths().filter((path) => {
    if (!/^src\/(?!reports).*\.ts$/.test(path)) return false;
    const paths = [...tree.read(path).matchAll(/from ['"](\.\.\/[^'"]+)/g)].map(
      ([, it = '']) => it,
    );
    return paths.some((it) => posix.join(posix.dirname(path), it).startsWith('src/'));
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
    const { staticExports } = moduleOf(tree.read(path));
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
    for (const { moduleRequest, entries } of moduleOf(tree.read(path)).staticImports) {
      const { value } = moduleRequest;
      const target = value.startsWith('.')
        ? posix.join(posix.dirname(path), value)
        : value.replace(/^(?:#app|@)\/(?=[a-z]+\/)/, 'src/');
      if (!target.startsWith('src/') && !target.startsWith('test/')) continue;
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

/** Each text is parsed once: most files of a project are those of the one before. */
function moduleOf(text: string): Module {
  const { staticImports, staticExports } = modules.get(text) ?? parseSync('code.ts', text).module;
  modules.set(text, { staticImports, staticExports });
  return { staticImports, staticExports };
}

type Module = Pick<EcmaScriptModule, 'staticImports' | 'staticExports'>;

const modules = new Map<string, Module>();

/** Each routes is imported and used once. */
function twiceRegistered(tree: Tree): string | undefined {
  const places = ['src/routes.ts', 'src/app.ts'].map((path) => tree.read(path));
  const text = places
    .join('\n')
    .replace(/^\s*\/\/.*/gm, '')
    .replaceAll('addRoutes', 'all');
  const imported = [...text.matchAll(/^import \{ (?:\w+ as )?(\w+Routes) \}/gm)].map(
    ([, it]) => it,
  );
  const used = imported.map((name) => text.split(new RegExp(`\\b${name}\\b`)).length - 2);
  const registered = text.match(/\w+Routes,/g) ?? [];
  const isOnce = used.every((count) => count === 1) && registered.length === imported.length;
  return isOnce ? undefined : `it does not register each once:\n${text}`;
}

/** A line of the owner's that says `title`, `Book` or `open` has to mean what it meant. */
function otherMeaning(tree: Tree): string | undefined {
  const own = 'src/reports/longest.ts';
  return tree.paths().includes(own) ? `${own} means another thing` : undefined;
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
  pristine ||= await makeProject(start, []);
  const property = fc.asyncProperty(given, async (sample) => {
    const change = changes[sample.change] ?? { schema: library };
    const folder = await makeProject(start, change.older ?? []);
    const chosen = Object.entries(ways).filter(([name]) => sample.ways.includes(name));
    for (const [, act] of chosen) await act(diskTree(folder));
    for (const name of [...sample.ways, sample.change]) drawn.set(name, (drawn.get(name) ?? 0) + 1);
    diskTree(folder).write('schema.yaml', schemaAfter(change));
    const problem = await problemOf(folder, change, work);
    await rm(folder, { recursive: true });
    if (problem) throw new Error(`${sample.ways.join(', ')}; ${sample.change}: ${problem}`);
  });
  await fc.assert(property, { numRuns: runs, seed, endOnFailure: true });
}

/** How often each was drawn. */
const drawn = new Map<string, number>();

test('whatever people do with a project, status 0 means that everything does what it did', async () => {
  await check(run, numRuns);
  say(`ways: ${[...statuses].map(([code, count]) => `status ${code}: ${count}`).join(', ')}`);
  say(`ways: ${[...drawn].map(([name, count]) => `${name} ${count}`).join(', ')}`);
  // If nearly every run stopped, this would show nothing.
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
    /means another thing/,
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
    spoiling((tree) => rewrite(tree, (code) => code.replace('ofOurs(address)', 'address'))),
    /lost/,
  ],
  'an alias of the compiler leads nowhere': [
    'aliases of the compiler',
    'a field more',
    spoiling((tree) => rewrite(tree, (code) => code.replace("'@/database/", "'@/databases/"))),
    /which is not there/,
  ],
  'one of several barrels has a name less': [
    'several barrels',
    'a relation more',
    spoiling((tree) => tree.write('src/books/index.ts', "export * from './policy.ts';\n")),
    /imports \w+ of \S*index\.ts/,
  ],
  'a file that was folded comes back beside its new place': [
    'a file folded into another',
    'a field more',
    spoiling((tree) =>
      rewrite(tree, (code, path) =>
        path === 'src/shelves/queries.ts' ? code.replace('const shelfPolicy', 'const none') : code,
      ),
    ),
    /imports shelfPolicy of/,
  ],
  'a registration that was moved is made again': [
    'a registration moved',
    'a model more',
    spoiling((tree) => {
      const routes = tree.read('src/routes.ts');
      const imported = "import { bookRoutes } from './books/routes.ts';\n";
      tree.write(
        'src/routes.ts',
        `${imported}${routes.replace(/\n\}/, '\n  await app.register(bookRoutes, {});\n}')}`,
      );
    }),
    /does not register each once/,
  ],
  'a swap of models is passed in silence': [
    'code of ones own',
    'two models swapped',
    spoiling(() => {}),
    /means another thing/,
  ],
  'a swap of values is passed in silence': [
    'code of ones own',
    'two values swapped',
    spoiling(() => {}),
    /means another thing/,
  ],
  'an edit in a file that was folded is lost': [
    'an edit in a small shared file',
    'a version that folds a file into another',
    spoiling((tree) => {
      for (const path of tree.paths().filter((it) => isCode(it) || it.endsWith('conflicts.json')))
        tree.write(path, tree.read(path).replaceAll("ofOurs('sha1')", "'sha1'"));
    }),
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
