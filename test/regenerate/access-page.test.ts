import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseSchema } from '../../src/schema/parse.ts';
import { check, regenerate } from '../cli/in-process.ts';
import { root } from '../support/root.ts';
import { makeProject } from './support/make-project.ts';
import { differenceToFresh, freshFiles } from './support/outcome.ts';

const page = readFileSync(join(root, 'docs/access.md'), 'utf8');
const steps = [...page.matchAll(/```yaml\n(version: 1\n[^]*?)```/g)].map(([, text = '']) => text);
const [first = '', ...later] = steps;
const last = later.at(-1) ?? '';

/** What the rows that exist already lack at each step. */
const accepted = [
  ['SCF421:Document.author', 'SCF415:Role.editor'],
  ['SCF421:Document.organisation'],
  ['SCF412:Document.organisation', 'SCF421:Document.team'],
];

test('each step follows the one before, and keeps a rule that its owner wrote', async () => {
  const folder = await makeProject(first, []);
  const policy = join(folder, 'src/documents/policy.ts');
  for (const [index, schema] of later.entries()) {
    writeFileSync(join(folder, 'schema.yaml'), schema);
    const accept = accepted[index] ?? [];
    expect(await regenerate(folder, { accept })).toMatchObject({ code: 0 });
    const { code, stderr } = await check(folder);
    expect([code, stderr.match(/(?:error|warning) SCF\d+/g)]).toEqual([0, null]);
    if (index === 0) writeFileSync(policy, withOwnRule(readFileSync(policy, 'utf8')));
  }
  const { files, notes } = differenceToFresh(folder, last);
  expect([[...files.keys()], notes]).toEqual([['src/documents/policy.ts'], []]);
  const made = freshFiles(last).get('src/documents/policy.ts')?.content ?? '';
  expect(readFileSync(policy, 'utf8')).toBe(withOwnRule(made));
});

const examples = [...page.matchAll(/```yaml\n((?:models|enums):[^]*?)```/g)].map(
  ([, text = '']) => `version: 1\napp: { name: notes }\n${text}`,
);

test('each example beside the steps gives no warning', () => {
  expect(examples.length).toBe(3);
  expect(examples.flatMap((text) => parseSchema(text).problems)).toEqual([]);
});

/** A function beside the rules of the schema, as the page has one, and one more entry. */
function withOwnRule(text: string): string {
  const [, own = ''] = /beside\s+them:\s+`(.*)`/.exec(page) ?? [];
  const rule = `const startsWithA: Rule<'documents'> = ${own.replace('viewer', '_viewer')};\n\n`;
  const edited = text
    .replace(/(?=\/\*\* Who may see and change)/, rule)
    .replace(/(?<=import \{ allOf, anyOf, definePolicy, owner)/, ', type Rule')
    .replace(/(?<= {2}read: anyOf\(\n)/, '    startsWithA,\n')
    .replace(/(?<= {2}read: anyOf\()(?=\S)/, 'startsWithA, ');
  expect(edited).toContain('startsWithA,');
  return edited;
}

test('what it shows of the project exists', () => {
  const policies = [...freshFiles(last)].filter(([path]) => path.endsWith('policy.ts'));
  const code = policies.map(([, { content }]) => content).join('\n');
  const shown = [...page.matchAll(/```ts\n([^]*?)```/g)].flatMap(([, block = '']) =>
    block.split(/\n\n|^ *\/\/ …\n/m),
  );
  expect(shown.length).toBeGreaterThan(4);
  expect(shown.filter((part) => !code.includes(part.trim()))).toEqual([]);
});
