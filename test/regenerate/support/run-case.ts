import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runRegenerate } from '../../../src/commands/regenerate.ts';
import { recordPath } from '../../../src/project/paths.ts';
import { reportFailure } from '../../../src/terminal/failure.ts';
import { recordingSession } from '../../support/recording-session.ts';
import { diskTree, edit, editDisk } from './edit.ts';
import { makeProject } from './make-project.ts';
import type { Operation } from './operations.ts';
import { differenceToFresh, freshFiles, type Difference } from './outcome.ts';
import type { Case, CaseRun } from './read-case.ts';

export interface CaseOutcome extends Difference {
  readonly folder: string;
  /** What every run printed. */
  readonly report: string;
}

/** Makes the project, edits it, and runs the command on it as often as the case says. */
export async function runCase({ before, older, edits, runs }: Case): Promise<CaseOutcome> {
  const folder = await makeProject(before, older);
  await editAll(folder, edits, runs[0]?.schema ?? before);
  const schemas = new Map([[recordOf(folder), before]]);
  const reports: string[] = [];
  for (const run of runs) {
    await editAll(folder, run.edits, run.schema);
    diskTree(folder).write('schema.yaml', run.schema);
    reports.push(await printRun(folder, run));
    // A run that was refused, or taken back, leaves the project where it was.
    if (!schemas.has(recordOf(folder))) schemas.set(recordOf(folder), run.schema);
  }
  const present = schemas.get(recordOf(folder)) ?? before;
  return { folder, report: reports.join('\n'), ...differenceToFresh(folder, present) };
}

function recordOf(folder: string): string {
  const file = join(folder, recordPath);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

async function editAll(folder: string, edits: readonly Operation[], schema: string): Promise<void> {
  const tree = diskTree(folder);
  for (const operation of edits) {
    const { take } = operation;
    if (take !== undefined) tree.write(take, freshFiles(schema).get(take)?.content ?? '');
    await edit(tree, operation);
    editDisk(folder, operation);
  }
}

async function printRun(folder: string, run: CaseRun): Promise<string> {
  const { schema: _, edits: __, ...request } = run;
  const { session, printed } = recordingSession(folder);
  const code = await runRegenerate(session, { dir: '.', ...request }).catch((error: unknown) =>
    reportFailure(session, error, { debug: false }),
  );
  const { stdout, stderr } = printed();
  const flags = Object.entries(request).flatMap(([name, value]) =>
    [value].flat().map((it) => ` --${dashed(name)}${it === true ? '' : ` ${String(it)}`}`),
  );
  const text = `${stdout}${stderr}`.replaceAll(folder, '/project');
  return `$ scaffold regenerate${flags.join('')}\n${text}exit ${code}\n`;
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
