import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copiedApp, type Fixture } from './support/built-app.ts';
import { root } from './support/root.ts';
import { must } from './support/run.ts';
import { type Server, startServer } from './support/server.ts';
import { blocksOf } from './support/walkthrough.ts';

const page = await readFile(join(root, 'docs/lists.md'), 'utf8');
const examples = blocksOf(page)
  .filter(({ language }) => language === 'http')
  .flatMap(({ text }) => text.trim().split('\n'))
  .map((line) => {
    const [, path = '', status = '200'] = /^GET (.*?)(?: (\d{3}))?$/.exec(line) ?? [];
    return { path, status: Number(status) };
  });

let blog: Server;
let museum: Server;

beforeAll(async () => {
  [blog, museum] = [await seeded('blog'), await seeded('every-type')];
});

afterAll(async () => {
  await Promise.all([blog.stop(), museum.stop()]);
});

test('there are examples of all kinds', () => {
  expect(examples.length).toBeGreaterThan(20);
  expect(new Set(examples.map(({ status }) => status))).toEqual(new Set([200, 422]));
});

test.each(examples)('GET $path answers $status', async ({ path, status }) => {
  const response = await fetch(blog.url + path);
  expect({ path, status: response.status, body: await response.text() }).toMatchObject({ status });
});

test('the first example is what a page looks like', async () => {
  const response = await fetch(`${blog.url}/api/posts/?limit=10`);
  const [shown = ''] = blocksOf(page).map(({ text }) => text);
  const keys = [...shown.matchAll(/^ {2}"(\w+)"/gm)].map(([, key]) => key);
  expect(Object.keys(JSON.parse(await response.text()))).toEqual(keys);
});

/** A field of each type, in the fixture that has them all. */
const fields: Readonly<Record<string, string>> = {
  string: 'name',
  text: 'story',
  email: 'contact',
  url: 'website',
  int: 'pieces',
  bigint: 'catalogue_number',
  float: 'weight',
  decimal: 'share',
  bool: 'on_display',
  date: 'found_on',
  time: 'opens_at',
  datetime: 'restored_at',
  uuid: 'ticket',
  enums: 'condition',
  json: 'settings',
  bytes: 'thumbnail',
};

const rows = page
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, types = '']) => types.split(/, /).every((type) => type.replaceAll('`', '') in fields))
  .flatMap(([, types = '', operators = '']) =>
    types
      .replaceAll('`', '')
      .split(', ')
      .map((type) => ({ type, operators: operators.replaceAll('`', '').split(' ') })),
  );

test('the table of operators has every type', () => {
  expect(rows.map(({ type }) => type).toSorted()).toEqual(Object.keys(fields).toSorted());
});

test.each(rows)('$type takes exactly the operators of the table', async ({ type, operators }) => {
  const response = await fetch(`${museum.url}/api/v1/things/?${fields[type]}__none=1`);
  const { errors }: { errors?: { msg: string }[] } = Object(await response.json());
  const [, allowed = ''] = /Allowed: (.*)$/.exec(errors?.[0]?.msg ?? '') ?? [];
  expect(operators.toSorted()).toEqual(allowed.split(', ').toSorted());
});

/** In development, with rows. */
async function seeded(name: Fixture): Promise<Server> {
  const { folder, env } = await copiedApp(name, 'sqlite');
  await must('npm', ['run', 'db:migrate'], { cwd: folder, env });
  await must('npm', ['run', 'db:seed', '--', '--count', '20'], { cwd: folder, env });
  return startServer({
    cwd: folder,
    command: [process.execPath, '--import', '@oxc-node/core/register', 'src/server.ts'],
    env: { ...env, NODE_ENV: 'development' },
  });
}
