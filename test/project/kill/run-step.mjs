// @ts-check
// What a writing command does at its end: takes the run lock, fixes what a crash left, applies. The program is that of
// the folder given, so that a test can give one with a bug in it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [program = '', action = '', folder = '', planFile = ''] = process.argv.slice(2);
const load = (/** @type {string} */ name) =>
  import(pathToFileURL(join(program, 'project/journal', `${name}.js`)).href);

const { withRunLock } = await load('run-lock');
const { recover } = await load('replay');
const { applyPlan } = await load('apply-plan');
const { planUndo } = await load('plan-undo');

/** @type {Record<string, () => Promise<unknown>>} */
const actions = {
  recover: () => Promise.resolve(),
  apply: async () => applyPlan(folder, JSON.parse(await readFile(planFile, 'utf8'))),
  undo: async () => applyPlan(folder, await planUndo(folder), { undoable: false }),
};

try {
  await withRunLock(folder, async () => {
    await recover(folder);
    await actions[action]?.();
  });
} catch (error) {
  const { code, message } = Object(error);
  process.stdout.write(JSON.stringify({ code, message }));
  process.exitCode = 1;
}
