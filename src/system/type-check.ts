import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPackage } from './find-package.ts';
import { mirrorProject, type Texts } from './mirror.ts';
import { run, type Running } from './run.ts';

/** What the compiler says about one place, counted from 1. */
export interface TypeProblem {
  /** Below the project, with `/`; that of its settings when the problem is in no file. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** `TS2339` */
  readonly code: string;
  readonly message: string;
}

/** The problems of the project with some texts in place of those on the disk. */
export type TypeCheck = (texts: Texts) => Promise<readonly TypeProblem[]>;

/** Nobody can tell whether the project type-checks; the message is a sentence that says why. */
export class NoTypeCheck extends Error {
  override readonly name = 'NoTypeCheck';
}

/**
 * Lends the project's own compiler, which runs in a copy: neither the project nor what its compiler remembers of it is
 * touched.
 */
export async function withTypeCheck<T>(
  at: Running,
  work: (check: TypeCheck) => Promise<T>,
): Promise<T> {
  const compiler = findCompiler(at.folder);
  const mirror = await mirrorProject(at.folder);
  let runs = 0;
  try {
    return await work(async (texts) => {
      await mirror.show(texts);
      runs += 1;
      const flags = runs > 2 ? [...plain, ...remembering] : plain;
      const ended = run(process.execPath, [compiler, ...flags], { ...at, folder: mirror.folder });
      const { ok, output } = await ended;
      const problems = readProblems(output);
      if (ok || problems.length > 0) return problems;
      throw new NoTypeCheck(`TypeScript failed: ${output.trim()}`);
    });
  } finally {
    await mirror.remove();
  }
}

const settings = 'tsconfig.json';
const plain = ['--noEmit', '--pretty', 'false'];

/** The first run that remembers is slower, those after it are three times as fast: one look, or two, need none of it. */
const remembering = ['--incremental', '--tsBuildInfoFile', '.tsbuildinfo'];

/** The script behind the project's `tsc`. */
function findCompiler(folder: string): string {
  if (!existsSync(join(folder, settings))) throw new NoTypeCheck(`There is no \`${settings}\`.`);
  const found = findPackage(folder, 'typescript');
  if (found === undefined) throw new NoTypeCheck('TypeScript is not installed in the project.');
  const manifest: { bin: { tsc: string } } = JSON.parse(
    readFileSync(join(found, 'package.json'), 'utf8'),
  );
  return join(found, manifest.bin.tsc);
}

/** `src/a.ts(3,7): error TS2339: Property …`, with further lines indented below. */
function readProblems(output: string): readonly TypeProblem[] {
  return output
    .replaceAll('\r\n', '\n')
    .replace(/\n\s+/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, path, row, column, code = '', message = ''] = form.exec(line) ?? [];
      if (code === '') return [];
      const place = { line: Number(row ?? 1), column: Number(column ?? 1) };
      return [{ path: path?.replaceAll('\\', '/') ?? settings, ...place, code, message }];
    });
}

const form = /^(?:(.+?)\((\d+),(\d+)\): )?error (TS\d+): (.*)$/;
