import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildApp } from '../../src/model/build.ts';
import { renderNew } from '../../src/project/render-project.ts';
import type { RenderedFile } from '../../src/render/rendered-file.ts';
import { parseSchema } from '../../src/schema/parse.ts';

/** The whole pipeline in memory: from a schema's text to the files of its project. */
export function emit(text: string): RenderedFile[] {
  const parsed = parseSchema(text);
  if ('schema' in parsed) return renderNew(buildApp(parsed.schema), text);
  const problems = parsed.problems.map(
    ({ code, message, position }) => `${position.line}:${position.column} ${code} ${message}`,
  );
  throw new Error(`The schema is refused:\n${problems.join('\n')}`);
}

export async function writeFiles(folder: string, files: readonly RenderedFile[]): Promise<void> {
  for (const { path, content, mode } of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content, { mode: Number.parseInt(mode, 8) });
  }
}
