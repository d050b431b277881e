import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withDatabase } from '../src/commands/edit-schema.ts';
import { builtApp } from './support/built-app.ts';
import { dialects, knownLists, type OpenApi, programOf } from './support/client-programs.ts';
import { descriptionsOf, poorlyDescribed } from './support/descriptions.ts';
import { emit, writeFiles } from './support/emit.ts';
import { install, installed } from './support/install.ts';
import { nodeVersion } from './support/node-version.ts';
import { productsTogether } from './support/products.ts';
import { root } from './support/root.ts';
import { must, run } from './support/run.ts';
import { scratchFolder } from './support/scratch.ts';
import { type Server, startServer } from './support/server.ts';
import { oneChecker } from './support/type-check.ts';
import { blocksOf } from './support/walkthrough.ts';

const packages = {
  '@hey-api/openapi-ts': '~0.99.0',
  '@redocly/cli': '~2.77.0',
  '@stoplight/spectral-cli': '~6.16.0',
  '@types/node': '^22.0.0',
  'openapi-fetch': '~0.17.0',
  'openapi-to-postmanv2': '~6.3.0',
  'openapi-typescript': '~7.13.0',
  orval: '~8.38.0',
  typescript: '^5.9.0',
};

const generators = {
  'openapi-fetch': ['openapi-typescript', 'openapi.json', '-o', 'schema.ts'],
  'hey-api': ['openapi-ts', '-i', 'openapi.json', '-o', 'hey-api'],
  orval: ['orval', '--input', 'openapi.json', '--output', 'orval/api.ts', '--client', 'fetch'],
} as const;

const names = ['openapi-fetch', 'hey-api', 'orval'] as const;

/** Strict, as the generators promise to be, and no stricter. */
const compilerOptions = {
  target: 'ES2022',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  types: ['node'],
  module: 'ESNext',
  moduleResolution: 'Bundler',
  strict: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  noEmit: true,
};

const schemaAt = (path: string) => readFileSync(join(root, path), 'utf8');

const schemas = {
  blog: schemaAt('templates/examples/blog.yaml'),
  shop: schemaAt('templates/examples/shop.yaml'),
  'every-type': schemaAt('fixtures/apps/every-type/sqlite/schema.yaml'),
  access: schemaAt('fixtures/access/members.yaml'),
  products: productsTogether(),
};

/** The size of the document as it is sent, for each model; the one of all types has thirty fields. */
const mostOf = (name: string) => (name === 'every-type' ? 20_000 : 200_000 / 13);

/** Runs the program of a package in a folder that has them all, by a Node that all of them support. */
let program: (name: string, args: readonly string[], cwd: string) => ReturnType<typeof run>;
let folder: string;

beforeAll(async () => {
  const modules = await installed({ dependencies: packages });
  // The generated code is placed beside them, so that it finds them.
  folder = await scratchFolder('generators');
  await symlink(modules, join(folder, 'node_modules'), 'dir');
  const node = dirname(await nodeVersion(24));
  const PATH = [join(modules, '.bin'), node, process.env['PATH']].join(delimiter);
  program = (name, args, cwd) => run(name, args, { cwd, env: { PATH, NO_COLOR: '1' } });
});

test.each(names)(
  'a client made by %s with its defaults does what a front end needs',
  async (name) => {
    const app = await builtApp('blog', 'sqlite');
    await must('npm', ['run', 'openapi'], { cwd: app.folder, env: app.env });
    const text = await readFile(join(root, 'fixtures/clients/generated', `${name}.ts`), 'utf8');
    const here = await clients(app.folder, { [name]: text });
    const server = await startServer({
      cwd: app.folder,
      env: app.env,
      command: [process.execPath, 'dist/server.js', '--migrate'],
    });
    const used = await use(here, name, { SERVER_URL: server.url }).finally(() => server.stop());
    expect(used).toEqual({ titles: ['Post 2', 'Post 0'], wrong: ['body', 'title'] });
  },
);

describe.each(Object.entries(schemas))('the OpenAPI document of %s', (name, text) => {
  const user = { username: 'admin@example.com', password: 'correct horse battery' };
  let project: string;
  let server: Server;
  let document: OpenApi;

  beforeAll(async () => {
    project = await scratchFolder(name);
    await writeFiles(project, emit(withDatabase({ text, file: 'schema.yaml' }, 'sqlite').text));
    await install(project);
    const env = { DATABASE_URL: 'file:./var/test.db', NODE_ENV: 'development' };
    const node = [process.execPath, 'scripts/typescript.js'] as const;
    const seeding = ['seeds/run.ts', '--count', '8', '--password', user.password];
    await must(node[0], [node[1], ...seeding], { cwd: project, env });
    server = await startServer({ cwd: project, env, command: [...node, 'src/server.ts'] });
    const sent = await (await fetch(`${server.url}/openapi.json`)).text();
    await writeFile(join(project, 'openapi.json'), sent);
    document = JSON.parse(sent);
  });

  afterAll(() => server.stop());

  test('passes Redocly and Spectral, can be imported into Postman, and is short', async () => {
    expect(await faultsOf(project)).toEqual([]);
    const postman = ['-s', 'openapi.json', '-o', 'collection.json'];
    await program('openapi2postmanv2', postman, project);
    const collection = JSON.parse(await readFile(join(project, 'collection.json'), 'utf8'));
    expect(collection.variable).toMatchObject([{ value: server.url }]);
    const models = document.tags.filter((tag) => /^[A-Z]/.test(tag.name));
    expect(JSON.stringify(document).length).toBeLessThan(mostOf(name) * models.length);
  });

  test('describes each call, parameter, answer and field outside of the models for people', () => {
    const texts = descriptionsOf(document);
    expect(Object.keys(texts).length).toBeGreaterThan(100);
    expect(poorlyDescribed(texts)).toEqual([]);
  });

  test('gives clients of all generators that filter and page each list, and create rows', async () => {
    const authorization = await signIn(server.url, user);
    const lists = await knownLists(document, { url: server.url, authorization });
    const programs = names.map((it) => [it, programOf(document, lists, dialects[it])]);
    const here = await clients(project, Object.fromEntries(programs));
    const env = { SERVER_URL: server.url, AUTHORIZATION: authorization };
    for (const generator of names) {
      const { pages, created } = await use(here, generator, env);
      expect(pages).toEqual(Object.fromEntries(lists.map((it) => [it.name, it.pages])));
      // An example may be there already, or name a row that is not.
      const outcomes = new Set(Object.values(created));
      expect([201, 409, 422]).toEqual(expect.arrayContaining([...outcomes]));
      expect(outcomes).toContain(201);
    }
  });
});

/** A folder with a client of each generator that a program uses, compiled with it. */
async function clients(project: string, programs: Readonly<Record<string, string>>) {
  const here = await mkdtemp(join(folder, 'clients-'));
  await cp(join(project, 'openapi.json'), join(here, 'openapi.json'));
  await writeFile(join(here, 'package.json'), '{ "type": "module" }');
  const files: string[] = [];
  for (const name of names.filter((it) => it in programs)) {
    const [generator, ...args] = generators[name];
    expect(await program(generator, args, here)).toMatchObject({ code: 0 });
    files.push(`${name}.ts`);
    await writeFile(join(here, `${name}.ts`), programs[name] ?? '');
  }
  await writeFile(join(here, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const compiler = join(root, 'node_modules/.bin/tsc');
  expect(await run(compiler, oneChecker, { cwd: here })).toMatchObject({ code: 0, stdout: '' });
  return here;
}

async function use(here: string, name: string, env: Readonly<Record<string, string>>) {
  const hooks = import.meta.resolve('@oxc-node/core/register');
  const args = ['--import', hooks, `${name}.ts`];
  const { stdout } = await must(process.execPath, args, { cwd: here, env });
  return Object(JSON.parse(stdout));
}

async function signIn(url: string, user: object): Promise<string> {
  const response = await fetch(`${url}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(user),
  });
  return `Bearer ${Object(await response.json()).access_token}`;
}

test('a poor description is found', () => {
  const texts = {
    'get /posts/': 'Posts posts of everybody.',
    'get /posts/ limit': undefined,
    'get /posts/ 200': 'Default Response',
    'Page.total': 'The total.',
    'Page.items': 'The rows of this page.',
  };
  expect(poorlyDescribed(texts)).toHaveLength(4);
});

test('a document with a fault is not accepted', async () => {
  const app = await builtApp('blog', 'sqlite');
  await must('npm', ['run', 'openapi'], { cwd: app.folder, env: app.env });
  const file = join(app.folder, 'openapi.json');
  const document = JSON.parse(await readFile(file, 'utf8'));
  document.paths['/auth/token'].post.parameters = [{ name: 'nowhere' }];
  await writeFile(file, JSON.stringify(document));
  const faults = ['redocly fails', 'spectral fails', 'struct', 'oas3-schema'];
  expect(await faultsOf(app.folder)).toEqual(expect.arrayContaining(faults));
});

/** As the page on clients has them. */
const clientsPage = await readFile(join(root, 'docs/clients.md'), 'utf8');
const [spectralRules = ''] = blocksOf(clientsPage)
  .filter(({ language }) => language === 'yaml')
  .map(({ text }) => text);

interface Redocly {
  readonly problems: readonly { readonly ruleId: string; readonly severity: string }[];
}

/** Errors of Redocly; errors and warnings of Spectral, except that no contact is named. */
async function faultsOf(project: string): Promise<readonly string[]> {
  const redocly = await program('redocly', ['lint', 'openapi.json', '--format=json'], project);
  const { problems }: Redocly = JSON.parse(redocly.stdout);
  await writeFile(join(project, '.spectral.yaml'), spectralRules);
  const spectral = await program('spectral', ['lint', 'openapi.json', '--format=json'], project);
  const found: readonly { readonly code: string }[] = JSON.parse(
    spectral.stdout.slice(spectral.stdout.indexOf('[')),
  );
  return [
    ...(redocly.code === 0 ? [] : ['redocly fails']),
    ...(spectral.code === 0 ? [] : ['spectral fails']),
    ...problems.filter(({ severity }) => severity === 'error').map(({ ruleId }) => ruleId),
    ...found.map(({ code }) => code).filter((code) => code !== 'info-contact'),
  ];
}
