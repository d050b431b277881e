import { expect, test } from 'vitest';
import { importedPrisma } from './import-prisma.ts';

test('gives an enum another name where its own is taken', async () => {
  const enums = ['Url', 'status', 'Status', 'PostId', 'post', 'Posts', 'CreateUser'];
  const fields = enums.map((name, at) => `  f${at} ${name}`);
  const blocks = enums.map((name) => `enum ${name} {\n  a\n  b${name}\n}\n`);
  const model = ['model Post {', '  id Int @id', ...fields, '}', ''].join('\n');
  const { text, problems, app } = await importedPrisma([model, ...blocks].join('\n'));
  expect(problems).toEqual([]);
  expect(text).toMatch(/enums:\s+\{\s+UrlValue: Url,\s+StatusValue: status,.*\s+PostValue: post,/s);
  const [, post] = app.models;
  expect(post?.fields.flatMap(({ type }) => (type.kind === 'enum' ? [type.enum] : []))).toEqual([
    'UrlValue',
    'StatusValue',
    'Status',
    'PostIdValue',
    'PostValue',
    'PostsValue',
    'CreateUserValue',
  ]);
});

test('keeps the values of enums as the database has them', async () => {
  const schema = `
    enum State {
      OPEN     @map("open")
      ON_LOAN  @map("on loan")
      LOST
    }
    model Loan {
      id     Int     @id @default(autoincrement())
      state  State   @default(ON_LOAN)
    }`;
  const { text, problems } = await importedPrisma(schema);
  expect(text).toContain('State: [open, on loan, LOST]');
  expect(text).toContain('state: { type: State, default: on loan }');
  expect(problems).toEqual([]);
});
