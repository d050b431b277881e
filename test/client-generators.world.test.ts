import { readdirSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { withDatabase } from '../src/commands/edit-schema.ts';
import { builtApp } from './support/built-app.ts';
import { emit, writeFiles } from './support/emit.ts';
import { install, installed } from './support/install.ts';
import { nodeVersion } from './support/node-version.ts';
import { root } from './support/root.ts';
import { must, run } from './support/run.ts';
import { scratchFolder } from './support/scratch.ts';
import { startServer, testSecret } from './support/server.ts';
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

const products = readdirSync(join(root, 'fixtures/access/products')).filter((name) =>
  name.endsWith('.yaml'),
);
const schemas = {
  blog: 'templates/examples/blog.yaml',
  shop: 'templates/examples/shop.yaml',
  'every-type': 'fixtures/apps/every-type/sqlite/schema.yaml',
  access: 'fixtures/access/members.yaml',
  ...Object.fromEntries(products.map((name) => [name, `fixtures/access/products/${name}`])),
};

/** Of the document as it is sent, for each model; that of all types has thirty fields. */
const mostOf = (name: string) => (name === 'every-type' ? 20_000 : 200_000 / 13);

/** Runs the program of a package in a folder that has them all, by a Node that all of them support. */
let program: (name: string, args: readonly string[], cwd: string) => ReturnType<typeof run>;
let folder: string;

beforeAll(async () => {
  const modules = await installed({ dependencies: packages });
  // What is made lies beside them, so that it finds them.
  folder = await scratchFolder('generators');
  await cp(modules, join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  const node = dirname(await nodeVersion(24));
  const PATH = [join(modules, '.bin'), node, process.env['PATH']].join(delimiter);
  program = (name, args, cwd) => run(name, args, { cwd, env: { PATH, NO_COLOR: '1' } });
});

test.each(Object.entries(generators))(
  'a client of %s does with its defaults what a front end asks of it',
  async (name, [generator, ...args]) => {
    const app = await builtApp('blog', 'sqlite');
    await must('npm', ['run', 'openapi'], { cwd: app.folder, env: app.env });
    const here = join(folder, name);
    await cp(join(app.folder, 'openapi.json'), join(here, 'openapi.json'));
    await writeFile(join(here, 'package.json'), '{ "type": "module" }');
    expect(await program(generator, args, here)).toMatchObject({ code: 0 });

    const file = `${name}.ts`;
    await cp(join(root, 'fixtures/clients/generated', file), join(here, file));
    await writeFile(
      join(here, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: [file] }),
    );
    expect(await program('tsc', [], here)).toMatchObject({ code: 0, stdout: '' });

    const server = await startServer({
      cwd: app.folder,
      env: app.env,
      command: [process.execPath, 'dist/server.js', '--migrate'],
    });
    const hooks = import.meta.resolve('@oxc-node/core/register');
    const used = await must(process.execPath, ['--import', hooks, file], {
      cwd: here,
      env: { SERVER_URL: server.url },
    }).finally(() => server.stop());
    const expected = { titles: ['Post 2', 'Post 0'], wrong: ['body', 'title'] };
    expect(JSON.parse(used.stdout)).toEqual(expected);
  },
);

test.each(Object.entries(schemas))(
  'Redocly, Spectral and Postman take the document of %s',
  async (name, schema) => {
    const project = await scratchFolder(name);
    const text = await readFile(join(root, schema), 'utf8');
    await writeFiles(project, emit(withDatabase({ text, file: 'schema.yaml' }, 'sqlite').text));
    await install(project);
    const env = { AUTH_SECRET_KEY: testSecret, DATABASE_URL: 'file:./var/test.db' };
    await must('npm', ['run', 'openapi'], { cwd: project, env });

    expect(await faultsOf(project)).toEqual([]);
    const postman = ['-s', 'openapi.json', '-o', 'collection.json'];
    await program('openapi2postmanv2', postman, project);
    const collection = JSON.parse(await readFile(join(project, 'collection.json'), 'utf8'));
    expect(collection.variable).toMatchObject([{ value: 'http://localhost:3000' }]);

    const document = JSON.parse(await readFile(join(project, 'openapi.json'), 'utf8'));
    const models = document.tags.filter(({ name: tag }: { name: string }) => /^[A-Z]/.test(tag));
    expect(JSON.stringify(document).length).toBeLessThan(mostOf(name) * models.length);

    // A document with a fault is not taken.
    document.paths['/auth/token'].post.parameters = [{ name: 'nowhere' }];
    await writeFile(join(project, 'openapi.json'), JSON.stringify(document));
    const faults = ['redocly fails', 'spectral fails', 'struct', 'oas3-schema'];
    expect(await faultsOf(project)).toEqual(expect.arrayContaining(faults));
  },
);

/** As the page on clients has them. */
const clientsPage = await readFile(join(root, 'docs/clients.md'), 'utf8');
const [spectralRules = ''] = blocksOf(clientsPage)
  .filter(({ language }) => language === 'yaml')
  .map(({ text }) => text);

interface Redocly {
  readonly problems: readonly { readonly ruleId: string; readonly severity: string }[];
}

/** Errors of Redocly; errors and warnings of Spectral, but that nobody is named whom to write to. */
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
