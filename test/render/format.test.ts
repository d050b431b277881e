import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emit } from '../support/emit.ts';
import { misformatted } from '../support/formatted.ts';
import { goldenApps } from '../support/golden-apps.ts';
import { root } from '../support/root.ts';
import { trials } from '../support/trials.ts';

test.each(goldenApps)('$name on $engine is formatted', async ({ render }) => {
  expect(await misformatted(render())).toEqual([]);
});

const schema = readFileSync(join(root, 'fixtures/apps/every-type/schema.yaml'), 'utf8');
const names =
  'curator Exhibit Topic Hall Showing Wear Epoch Season story serial catalogue_number keeper topics halls';
const known = new Set(emit(schema).map(({ content }) => content));
const lengths = [8, 26, 1, 40, 3, 14, 20, 32].slice(0, trials({ quick: 1, full: 4, deep: 8 }));

test.each(lengths)('names that are %i characters longer are formatted, too', async (length) => {
  const stretched = emit(stretch(schema, length)).filter(({ content }) => !known.has(content));
  expect(stretched.length).toBeGreaterThan(30);
  expect(await misformatted(stretched)).toEqual([]);
});

test('what differs where users sign in elsewhere is formatted', async () => {
  const elsewhere = emit(schema.replace('auth:\n', 'auth:\n  password: false\n'));
  expect(await misformatted(elsewhere.filter(({ content }) => !known.has(content)))).toEqual([]);
});

test('what differs where columns are named differently is formatted', async () => {
  const naming = '\nnaming: { api: camel, columns: snake }\n';
  const named = emit(`${schema}${naming}`).filter(({ content }) => !known.has(content));
  expect(await misformatted(named)).toEqual([]);
});

function stretch(text: string, length: number): string {
  const pattern = new RegExp(`\\b(${names.replaceAll(' ', '|')})\\b`, 'g');
  return text.replace(pattern, (name) => `${name}${'x'.repeat(length)}`);
}
