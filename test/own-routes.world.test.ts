import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { install } from './support/install.ts';
import { nodeVersion } from './support/node-version.ts';
import { root } from './support/root.ts';
import { must } from './support/run.ts';
import { scratchFolder } from './support/scratch.ts';
import { oneChecker } from './support/type-check.ts';

const plugins = {
  '@fastify/cookie': '^11.1.5',
  '@fastify/multipart': '^10.1.9',
  '@fastify/sensible': '^6.0.6',
  '@fastify/websocket': '^11.3.6',
  '@types/ws': '^8.18.2',
  ws: '^8.23.0',
};

const suites = [
  'own-routes.test.ts',
  'traps.test.ts',
  'readers.test.ts',
  'lines.test.ts',
  'writes.test.ts',
  'outbox.test.ts',
  'answers.test.ts',
  'commands.test.ts',
];

test.each(['sqlite', 'postgres'])(
  'on %s, an owner writes as in any Fastify app',
  async (engine) => {
    const folder = await scratchFolder(`own-routes-${engine}`);
    await cp(join(root, 'fixtures/apps/blog', engine), folder, { recursive: true });
    await cp(join(root, 'fixtures/own-routes/routes.ts'), join(folder, 'src/own-routes.ts'));
    for (const suite of suites) {
      await cp(join(root, 'fixtures/own-routes', suite), join(folder, 'test', suite));
    }
    await edit(join(folder, 'package.json'), (text) =>
      text.replace('"devDependencies": {', (line) =>
        [line, ...Object.entries(plugins).map((pair) => `    "${pair.join('": "')}",`)].join('\n'),
      ),
    );
    await edit(join(folder, 'src/app.ts'), (text) =>
      `import { ownRoutes } from './own-routes.ts';\n${text}`.replace(
        /\n {2}\/\/ Your own routes go here.*/,
        "\n  await app.register(ownRoutes, { prefix: '/my' });",
      ),
    );
    await install(folder);

    await must('node_modules/.bin/tsc', ['--noEmit', ...oneChecker], { cwd: folder });
    const files = [...suites, 'openapi.test.ts'].map((suite) => `test/${suite}`);
    await must('node_modules/.bin/vitest', ['run', ...files], { cwd: folder });
  },
);

test.each([
  [20, {}],
  [24, {}],
  [24, { paths: { '@own/*': ['./own/*'] } }],
])('on Node %i with %j, a TypeScript program of an owner runs', async (major, options) => {
  const folder = await scratchFolder('own-program');
  await mkdir(join(folder, 'own'));
  await cp(join(root, 'templates/app/scripts/typescript.js'), join(folder, 'typescript.mjs'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
  await writeFile(join(folder, 'own/word.ts'), "export const word: string = 'hello';\n");
  const from = 'paths' in options ? '@own/word.ts' : './own/word.ts';
  await writeFile(
    join(folder, 'program.ts'),
    `import { word } from '${from}';\nconsole.log(word, process.argv[2]);\n`,
  );
  const node = await nodeVersion(major);
  const { stdout } = await must(node, ['typescript.mjs', 'program.ts', 'world'], { cwd: folder });
  expect(stdout.trim()).toBe('hello world');
});

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(file, 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  await writeFile(file, changed);
}
