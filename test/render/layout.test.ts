import { format } from 'prettier';
import { assert, asyncProperty, jsonValue, nat, string, stringMatching } from 'fast-check';
import { expect, test } from 'vitest';
import { breakLines } from '../../src/render/break-lines.ts';
import { tsValue } from '../../src/render/typescript.ts';
import { trials } from '../support/trials.ts';

const prettier = (text: string) =>
  format(text, { parser: 'typescript', singleQuote: true, printWidth: 100 });

/** What templates and views write on one line, for names of any length. */
const statements: readonly ((name: string, other: string) => string)[] = [
  (name, other) => `import { ${name}, ${other}, type ${name}Id } from './schema.ts';`,
  (name) => `import { ${name} } from '../a-folder-with-a-long-name/schema.ts';`,
  (name) => `import type { ${name}, Other } from './schema.ts';`,
  (name) => `export type ${name} = Static<typeof ${name}>;`,
  (name) => `export type ${name} = (typeof ${name})[number];`,
  (name) => `export type ${name}Id = ${name}['id'];`,
  (name, other) =>
    `export type Fields = Omit<UserRow, 'password' | '${name}' | '${other}${name}' | 'token_version'>;`,
  (name, other) => `export const ${name} = ['${name}', '${other}', 'published'] as const;`,
  (name) => `export const ${name} = Type.Partial(Create${name}, { additionalProperties: false });`,
  (name, other) => `export const ${name} = { ${other}: t.Nullable(t.Text({ min: 3, max: 160 })) };`,
  (name, other) =>
    `const row = { ${name}: { type: 'string', values: enums.${other} }, ${other}: 1 };`,
  (name) => `export function list${name}(reader: Reader, request: RowRequest) {\n  return 1;\n}`,
  (name) => `export async function ${name}Routes(server: Server): Promise<void> {\n  await 1;\n}`,
  (name, other) => `await app.register(${name}Routes, { prefix: '/api/${other}' });`,
  (name) => `const row = await update${name}(app.database, change);`,
  (name, other) => `const change = rowChange(request, ${name}, request.${other});`,
  (name, other) => `const values = { ...request.body, ${name}: currentUser(request).${other} };`,
  (name, other) => `const ${name} = maybe(draw, () => decimal(draw, { ${other}: 3, scale: 2 }));`,
  (name, other) => `const row = { ${name}: maybe(draw, () => texts.${other}(draw)) };`,
  (name, other) => `const rule = anyOf(owner('${name}'), role('editor', '${other}'));`,
  (name, other) => `const { ${name}, ${other} } = await admin.get(\`/api/${name}/?\${query}\`);`,
  (name, other) => `const { ${name}, id: ${other}, ...row } = { __proto__: null, ...input };`,
  (name, other) => `const { ${name}, id: ${other} = 7, ...row } = input;`,
  (name, other) => `const { ${name}, id: ${other} = 7, ...row } = { __proto__: null, ...input };`,
  (name, other) => `const row = { ${name}: 1000 + next('${name}.${other}') };`,
  (name, other) =>
    `const ${name} = rows.from('${name}').where('id', '=', id).call(by(it.read(${other})));`,
  (name, other) => `const ${name} = rows.from('${name}').call(by(it.list(${other})));`,
  (name, other) => `const ${name} = sql\`select 1 from \${from(${other})} where true\`;`,
  (name, other) =>
    `const ids = sql\`select \${sql.ref(\`\${${name}}.\${idOf(${other})}\`)} from \${sql.table(there)} where \${found}\`;`,
  (name, other) => `const ${name} = shares(toPage, () => reader('${other}'), () => writer());`,
  (name) =>
    `export function update${name}(database: Database, input: Partial<New${name} | Omit<New${name}, 'toString'>>): Promise<void> {\n  return 1;\n}`,
  (name) => `await open.from('${name}').where('id', '=', request.id).execute();`,
];

const name = stringMatching(/^[a-z]{3}[a-z]{0,60}$/);

test.each(statements.map((statement) => ({ statement, shown: statement('post', 'comment') })))(
  '$shown',
  async ({ statement }) => {
    await assert(
      asyncProperty(name, name, async (first, second) => {
        const text = `${statement(first, second)}\n`;
        expect(breakLines(text)).toBe(await prettier(text));
      }),
      { numRuns: trials({ quick: 20, full: 40, deep: 600 }), seed: 7 },
    );
  },
);

test('values of any shape', async () => {
  await assert(
    asyncProperty(jsonValue({ maxDepth: 4 }), nat(40), async (value, length) => {
      const text = `const ${'x'.repeat(length + 3)} = { value: ${printed(value)} };\n`;
      expect(breakLines(text)).toBe(await prettier(text));
    }),
    { numRuns: trials({ quick: 150, full: 300, deep: 6000 }), seed: 7 },
  );
});

test('texts in any script, as wide as an editor shows them', async () => {
  const text = string({ unit: 'grapheme', minLength: 20, maxLength: 90 });
  await assert(
    asyncProperty(text, text, async (description, example) => {
      const value = { description, examples: [example], title: 'Post' };
      const code = `export const post = Type.Object(shape, ${printed(value)});\n`;
      expect(breakLines(code)).toBe(await prettier(code));
    }),
    { numRuns: trials({ quick: 60, full: 120, deep: 3000 }), seed: 7 },
  );
});

const printed = (value: unknown) => tsValue(JSON.parse(JSON.stringify(value)));

test.each([
  'const Egg = Type.Object(\n  {\n  },\n  { shell: true },\n);\n',
  "describe('eggs', () => {\n  boil();\n\n  \n});\n",
])('where a view printed nothing, no gap is left: %j', async (text) => {
  expect(breakLines(text)).toBe(await prettier(text));
});
