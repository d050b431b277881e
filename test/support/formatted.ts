import { check, type Options } from 'prettier';
import type { RenderedFile } from '../../src/render/rendered-file.ts';

/** As in the emitted `.prettierrc.json` and `.prettierignore`; `test/emitted.world.test.ts` asks these themselves. */
const options: Options = { singleQuote: true, printWidth: 100 };
const isIgnored = /^(\.scaffold|migrations)\/|^schema\.|\.md$/;
const isFormatted = /\.(ts|json|ya?ml)$/;

/** Paths of the files in which the project's formatter would change something. */
export async function misformatted(files: readonly RenderedFile[]): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const file of files) {
    if (!isFormatted.test(file.path) || isIgnored.test(file.path)) continue;
    if (!(await isPretty(file))) wrong.push(file.path);
  }
  return wrong;
}

function isPretty({ path, content }: RenderedFile): Promise<boolean> {
  const found = seen.get(path + content) ?? check(content, { ...options, filepath: path });
  seen.set(path + content, found);
  return found;
}

/** Most files are the same in every app. */
const seen = new Map<string, Promise<boolean>>();
