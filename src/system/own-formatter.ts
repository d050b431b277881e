import { parseJson } from '../json.ts';
import { run } from './run.ts';
import { findPackage } from './package-manager.ts';

/**
 * Formats texts with the project's own formatter. Leaves out files that it ignores and files that were not formatted
 * before. Undefined if the project has no working formatter.
 */
export async function formatTexts(
  texts: readonly {
    readonly path: string;
    readonly before?: string | undefined;
    readonly after: string;
  }[],
  folder: string,
  interruption: AbortSignal,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (findPackage(folder, 'prettier') === undefined) return undefined;
  const at = { folder, interruption, input: JSON.stringify(texts) };
  const args = ['--input-type=module', '--eval', formatterProgram];
  const { ok, answer } = await run(process.execPath, args, at);
  const formatted = parseJson(answer);
  return ok && Array.isArray(formatted) ? new Map<string, string>(formatted) : undefined;
}

/** Runs in the project, with its formatter and settings. */
const formatterProgram = `
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
