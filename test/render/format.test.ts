import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, type Options } from 'prettier';
import { expect, test } from 'vitest';
import type { RenderedFile } from '../../src/render/rendered-file.ts';
import { emit } from '../support/emit.ts';
import { goldenApps } from '../support/golden-apps.ts';
import { root } from '../support/root.ts';

/** As in the emitted `.prettierrc.json` and `.prettierignore`. */
const options: Options = { singleQuote: true, printWidth: 100 };
const isIgnored = /^(\.scaffold|migrations)\/|^schema\.|\.md$/;
const isFormatted = /\.(ts|json|ya?ml)$/;

test.each(goldenApps)('$name on $engine is formatted', async ({ render }) => {
  expect(await misformatted(render())).toEqual([]);
});

const schema = readFileSync(join(root, 'fixtures/apps/every-type/schema.yaml'), 'utf8');
const names =
  'curator Exhibit Topic Hall Showing Wear Epoch Season story serial catalogue_number keeper topics halls';
const known = new Set(emit(schema).map(({ content }) => content));
const lengths = [1, 3, 8, 14, 20, 26, 32, 40];

test.each(lengths)('names that are %i characters longer are formatted, too', async (length) => {
  const stretched = emit(stretch(schema, length)).filter(({ content }) => !known.has(content));
  expect(stretched.length).toBeGreaterThan(30);
  expect(await misformatted(stretched)).toEqual([]);
});

function stretch(text: string, length: number): string {
  const pattern = new RegExp(`\\b(${names.replaceAll(' ', '|')})\\b`, 'g');
  return text.replace(pattern, (name) => `${name}${'x'.repeat(length)}`);
}

/** Most files are the same in every app. */
const seen = new Map<string, Promise<boolean>>();

function isPretty({ path, content }: RenderedFile): Promise<boolean> {
  const found = seen.get(path + content) ?? check(content, { ...options, filepath: path });
  seen.set(path + content, found);
  return found;
}

async function misformatted(files: readonly RenderedFile[]): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const file of files) {
    if (!isFormatted.test(file.path) || isIgnored.test(file.path)) continue;
    if (!(await isPretty(file))) wrong.push(file.path);
  }
  return wrong;
}
