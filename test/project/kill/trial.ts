import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { scratchFolder } from '../../support/scratch.ts';
import { type Fault, type Outcome, runStep } from './program.ts';
import type { Scenario } from './scenarios.ts';
import { compareTrees, readTree } from './tree.ts';

export interface Trial extends Outcome {
  readonly folder: string;
}

/** The scenario in a folder of its own, with something happening on the way. */
export async function tryWith(scenario: Scenario, fault: Fault): Promise<Trial> {
  const { program, action, template, plan } = scenario;
  const folder = copyOf(template);
  return { folder, ...(await runStep({ program, action, folder, plan, fault })) };
}

const home = await scratchFolder('trials');
let count = 0;

export function copyOf(folder: string): string {
  count += 1;
  const copy = join(home, String(count));
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/**
 * What is wrong after the next command: the folder has to be as it was, or as it is to be, with nothing else in it; and
 * the run, made again, has to come to its end.
 */
export async function flawsAfter(
  { program, action, plan, before, after }: Scenario,
  folder: string,
): Promise<readonly string[]> {
  const { withRunLock, recover, applyPlan, planUndo } = await load(program);
  await withRunLock(folder, () => recover(folder));
  const found = readTree(folder);
  const fromAfter = compareTrees(after, found);
  const fromBefore = compareTrees(before, found);
  if (fromAfter.length > 0 && fromBefore.length > 0) {
    return fromBefore.length < fromAfter.length ? fromBefore : fromAfter;
  }
  if (fromBefore.length === 0) {
    await withRunLock(folder, async () => {
      if (action === 'undo') await applyPlan(folder, await planUndo(folder), { undoable: false });
      else await applyPlan(folder, JSON.parse(readFileSync(plan, 'utf8')));
    });
  }
  const flaws = compareTrees(after, readTree(folder));
  if (flaws.length === 0) rmSync(folder, { recursive: true });
  return flaws.map((flaw) => `made again: ${flaw}`);
}

/** The modules of a built program, which may have a bug. */
async function load(program: string) {
  const [lock, replay, apply, undo] = await Promise.all(
    ['run-lock', 'replay', 'apply-plan', 'plan-undo'].map(
      (name) =>
        import(
          /* @vite-ignore */ pathToFileURL(join(program, 'project/journal', `${name}.js`)).href
        ),
    ),
  );
  return { ...lock, ...replay, ...apply, ...undo };
}
