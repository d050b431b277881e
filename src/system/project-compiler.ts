import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Texts } from '../project/disk.ts';
import { type Mirror, mirrorProject } from './mirror.ts';
import { run } from './run.ts';
import { findPackage } from './package-manager.ts';

/** A compiler error. Lines and columns count from 1. */
export interface TypeProblem {
  /** Below the project, with `/`. For an error in no file, the path of the settings. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** `TS2339` */
  readonly code: string;
  readonly message: string;
}

/** The type problems of a project, with these texts in place of those on disk. */
export type TypeCheck = (texts: Texts) => Promise<readonly TypeProblem[]>;

/** The project cannot be type-checked. The message is a sentence that says why. */
export class NoTypeCheck extends Error {
  override readonly name = 'NoTypeCheck';
}

/**
 * Runs the project's own compiler in a copy, which is made for the first check, so that neither the project nor a cache
 * changes. Trusted files are not checked.
 */
export async function withTypeCheck<T>(
  {
    folder,
    trusted,
    interruption,
  }: {
    readonly folder: string;
    readonly trusted: ReadonlySet<string>;
    readonly interruption: AbortSignal;
  },
  work: (check: TypeCheck) => Promise<T>,
): Promise<T> {
  const lent: { compiler?: ReturnType<typeof getCompiler>; mirror?: Mirror } = {};
  let runs = 0;
  try {
    return await work(async (texts) => {
      const [compiler, ...args] = (lent.compiler ??= getCompiler(folder));
      const mirror = (lent.mirror ??= await mirrorProject(folder, trusted));
      await mirror.show(texts);
      runs += 1;
      const flags = runs > 2 ? [...noFiles, ...remembering] : noFiles;
      const at = { folder: mirror.folder, interruption, env };
      const { ok, output } = await run(compiler, [...args, ...flags], at);
      const problems = readProblems(output);
      if (ok || problems.length > 0) return problems;
      throw new NoTypeCheck(`TypeScript failed: ${output.trim()}`);
    });
  } finally {
    await lent.mirror?.remove();
  }
}

/** The problems, or why the compiler could not run. */
export async function tryTypeCheck<T>(
  look: () => Promise<T>,
): Promise<{ readonly found: T } | { readonly unchecked: string }> {
  try {
    return { found: await look() };
  } catch (error) {
    if (error instanceof NoTypeCheck) return { unchecked: error.message };
    throw error;
  }
}

const compilerSettings = 'tsconfig.json';
const noFiles = ['--noEmit', '--pretty', 'false'];

/** The first incremental run is slower and later ones three times as fast, so one or two checks do without. */
const remembering = ['--incremental', '--tsBuildInfoFile', '.tsbuildinfo'];

/** The command of the project's `tsc`: a program since version 7, a script before. */
function getCompiler(folder: string): readonly [string, ...string[]] {
  if (!existsSync(join(folder, compilerSettings)))
    throw new NoTypeCheck(`there is no \`${compilerSettings}\`.`);
  const found = findPackage(folder, 'typescript');
  if (found === undefined) throw new NoTypeCheck('TypeScript is not installed in the project.');
  const home = realpathSync(found);
  const native = findPackage(home, `@typescript/typescript-${process.platform}-${process.arch}`);
  const program = join(native ?? home, process.platform === 'win32' ? 'lib/tsc.exe' : 'lib/tsc');
  if (existsSync(program)) return [program, '--checkers', String(checkers())];
  const manifest: { bin: { tsc: string } } = JSON.parse(
    readFileSync(join(home, 'package.json'), 'utf8'),
  );
  return [process.execPath, join(home, manifest.bin.tsc)];
}

/** Each checker loads the library types again, so more than two do not help, nor do two on busy cores. */
function checkers(): 1 | 2 {
  const [busy = 0] = loadavg();
  return busy < availableParallelism() ? 2 : 1;
}

/** The compiler keeps nearly all its memory until the end, so garbage collection is off while there is room. */
const { GOGC = 'off', GOMEMLIMIT = String(Math.floor(totalmem() / 2)) } = process.env;
const env = { GOGC, GOMEMLIMIT };

/** Reads lines such as `src/a.ts(3,7): error TS2339: Property …`, with further lines indented below. */
function readProblems(output: string): readonly TypeProblem[] {
  return output
    .replaceAll('\r\n', '\n')
    .replace(/\n\s+/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, path, row, column, code = '', message = ''] = form.exec(line) ?? [];
      if (code === '') return [];
      const place = { line: Number(row ?? 1), column: Number(column ?? 1) };
      return [{ path: path?.replaceAll('\\', '/') ?? compilerSettings, ...place, code, message }];
    });
}

const form = /^(?:(.+?)\((\d+),(\d+)\): )?error (TS\d+): (.*)$/;
