import { execFile } from 'node:child_process';
import { findPackage } from './find-package.ts';

export interface Unformatted {
  readonly path: string;
  /** As it was, where it was there: what its owner did not format is left alone. */
  readonly before?: string | undefined;
  readonly after: string;
}

interface Place {
  readonly folder: string;
  readonly interruption: AbortSignal;
}

/**
 * Texts as the project's own formatter has them, by path; those that it would not change, or may not, are left out.
 * Undefined when the project has none that runs.
 */
export function formatTexts(
  texts: readonly Unformatted[],
  { folder, interruption }: Place,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (findPackage(folder, 'prettier') === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const options = { cwd: folder, signal: interruption, maxBuffer: Number.POSITIVE_INFINITY };
    const child = execFile(
      process.execPath,
      ['--input-type=module', '--eval', program],
      options,
      (error, stdout) => {
        resolve(error ? undefined : readAnswer(stdout));
      },
    );
    // A process that ends early says so by itself.
    child.stdin?.on('error', () => {});
    child.stdin?.end(JSON.stringify(texts));
  });
}

/** Runs in the project: its formatter, its settings, and what it ignores. */
const program = `
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
const here = createRequire(join(process.cwd(), 'package.json'));
const found = await import(pathToFileURL(here.resolve('prettier')));
const { format, getFileInfo, resolveConfig } = found.default ?? found;
let input = '';
for await (const part of process.stdin.setEncoding('utf8')) input += part;
const answer = [];
for (const { path, before, after } of JSON.parse(input)) {
  try {
    const { ignored, inferredParser } = await getFileInfo(path, { ignorePath: '.prettierignore' });
    if (ignored || inferredParser === null) continue;
    const options = { ...(await resolveConfig(path, { editorconfig: true })), filepath: path };
    if (before !== undefined && (await format(before, options)) !== before) continue;
    const text = await format(after, options);
    if (text !== after) answer.push([path, text]);
  } catch {}
}
process.stdout.write(JSON.stringify(answer));
`;

function readAnswer(text: string): ReadonlyMap<string, string> | undefined {
  try {
    const answer: [string, string][] = JSON.parse(text);
    return new Map(answer);
  } catch {
    return undefined;
  }
}
