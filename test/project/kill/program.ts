import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { root } from '../../support/root.ts';
import { hanging } from '../../support/run.ts';
import { scratchFolder } from '../../support/scratch.ts';

/** A piece of a built file, and what replaces it. */
export interface Bug {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A copy of the program as it is built, which starts in a tenth of a second, maybe with a bug. */
export async function copiedProgram(bug?: Bug): Promise<string> {
  const home = await scratchFolder('program');
  const program = join(home, 'dist');
  cpSync(join(root, 'dist'), program, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'));
  if (bug) plant(bug, program);
  return program;
}

function plant({ file, from, to }: Bug, program: string): void {
  const path = join(program, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not say ${from} any more.`);
  writeFileSync(path, text.replace(from, to));
}

export type Action = 'apply' | 'undo' | 'recover';

export interface Fault {
  readonly at: number;
  readonly what: 'kill' | 'cut' | 'fail' | 'full' | 'edit';
  /** Of the error, for `fail`. */
  readonly code?: string;
  /** What is saved, for `edit`. */
  readonly path?: string;
}

export interface Job {
  readonly program: string;
  readonly action: Action;
  readonly folder: string;
  /** A file with the plan to apply. */
  readonly plan: string;
  readonly fault?: Fault;
  /** Where the steps are reported, when several run in one folder. */
  readonly log?: string;
}

export interface Outcome {
  readonly isKilled: boolean;
  /** Code of the error that it ended with. */
  readonly error?: string;
  /** What it did to the disk, in order; the last is where the fault struck. */
  readonly steps: readonly string[];
}

export async function runStep({
  program,
  action,
  folder,
  plan,
  fault,
  log = `${folder}.steps`,
}: Job): Promise<Outcome> {
  writeFileSync(log, '');
  const { signal, exitCode, stdout, stderr } = await execa(
    process.execPath,
    [
      '--import',
      join(import.meta.dirname, 'faulty-fs.mjs'),
      join(import.meta.dirname, 'run-step.mjs'),
      program,
      action,
      folder,
      plan,
    ],
    {
      env: { FAULT: JSON.stringify({ root: folder, log, ...fault }) },
      reject: false,
      timeout: hanging,
    },
  );
  const steps = readFileSync(log, 'utf8').split('\n').slice(0, -1);
  const isKilled = signal === 'SIGKILL';
  if (!isKilled && exitCode !== 0 && stdout === '') throw new Error(`The program broke: ${stderr}`);
  const { code, message }: { code?: string; message?: string } = JSON.parse(stdout || '{}');
  return {
    isKilled,
    steps,
    ...(message !== undefined && { error: `${code ?? 'none'}: ${message}` }),
  };
}
