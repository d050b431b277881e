import * as fc from 'fast-check';
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { regenerate } from '../cli/in-process.ts';
import { install } from '../support/install.ts';
import { run } from '../support/run.ts';
import { say } from '../support/say.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { diskTree, type Tree } from './support/edit.ts';
import { makeProject } from './support/make-project.ts';
import { changes, schemaAfter, start, ways } from './support/ways.ts';

/** `SEED=… FULL=1 npx vitest run --project=world test/regenerate/ways.world.test.ts` repeats a run. */
const seed = searchSeed();
const numRuns = trials({ quick: 2, full: 2, deep: 40 });

/** Their owner wrote it before the schema changed, against what the project was then. */
const ownTest = `import { expect, test } from 'vitest';
import { startTestApp } from './app.ts';

const api = await startTestApp();

test('books and shelves', async () => {
  const admin = await api.signIn('admin');
  const { id } = await api.make.user();
  const book = { title: 'Mine', pages: 3, owner_id: id };
  expect((await admin.post('/api/books/', book)).json()).toMatchObject(book);
  expect((await admin.get('/api/books/?title=Mine')).json()).toMatchObject({ total: 1 });
  const shelf = (await admin.post('/api/shelves/', { label: 'Top' })).json();
  expect(shelf).toMatchObject({ label: 'Top', state: 'open' });
  expect((await admin.delete('/api/shelves/' + shelf.id)).statusCode).toBe(204);
});
`;

/** Those after which the test has to pass: nothing that it mentions changes. */
const additions = ['a field more', 'a model more', 'soft deletion'];

/** What only the compiler follows does not work at run time. */
const running = Object.keys(ways).filter((name) => name !== 'aliases of the compiler');

const samples = fc.record({
  ways: fc.uniqueArray(fc.constantFrom(...running), { minLength: 2, maxLength: 4 }),
  change: fc.constantFrom(...additions),
});

type Sample = typeof samples extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** With status 0 the owner's own test passes as it did. */
async function problemOf(sample: Sample, spoil: (tree: Tree) => void): Promise<string | undefined> {
  const folder = await makeProject(start, []);
  const tree = diskTree(folder);
  const chosen = Object.entries(ways).filter(([name]) => sample.ways.includes(name));
  for (const [, act] of chosen) await act(tree);
  tree.write('test/mine.test.ts', ownTest);
  await install(folder);
  const own = () => run('node_modules/.bin/vitest', ['run', 'test/mine.test.ts'], { cwd: folder });
  const before = await own();
  if (before.code !== 0) return `the test fails before the run:\n${before.stdout}${before.stderr}`;
  const change = changes[sample.change];
  if (!change) throw new Error(`There is no ${sample.change}.`);
  tree.write('schema.yaml', schemaAfter(change));
  const ran = await regenerate(folder);
  spoil(tree);
  const after = ran.code === 0 ? await own() : before;
  await rm(folder, { recursive: true });
  say(`${sample.ways.join(', ')}; ${sample.change}: status ${ran.code}`);
  return after.code === 0 ? undefined : `the test fails:\n${after.stdout}${after.stderr}`;
}

test("after a run that leaves nothing open, the owner's own test passes as before", async () => {
  const property = fc.asyncProperty(samples, async (sample) => {
    expect(await problemOf(sample, () => {})).toBe(undefined);
  });
  await fc.assert(property, { numRuns, seed, endOnFailure: true });
});

test('a run is caught where a registration is lost', async () => {
  const sample = { ways: ['aliases', 'a barrel'], change: 'a field more' };
  const problem = await problemOf(sample, (tree) => {
    const routes = tree.read('src/routes.ts');
    tree.write('src/routes.ts', routes.replace(/^ *await app\.register\(bookRoutes.*\n/m, ''));
  });
  expect(problem).toMatch(/the test fails:/);
});
