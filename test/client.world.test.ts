import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Engine, type Fixture, builtApp } from './support/built-app.ts';
import { frontEndSettings } from './support/front-end.ts';
import { root } from './support/root.ts';
import { must } from './support/run.ts';
import { startServer } from './support/server.ts';
import { oneChecker } from './support/type-check.ts';

test.each(['sqlite', 'postgres'] as const)(
  'on %s, the client of the blog does what a front end needs',
  async (engine) => {
    expect(await useClient('blog', engine)).toEqual({
      me: 'ann@example.test',
      drafts: ['Post 2', 'Post 0'],
      second: [3, ['post-1']],
      found: 2,
      authors: [['Post 0', 'Ann']],
      walked: ['Post 0', 'Post 1', 'Post 2'],
      renamed: { id: expect.any(Number), title: 'Renamed & kept' },
      read: 'Renamed & kept',
      deleted: null,
      faults: {
        status: 422,
        code: 'validation_error',
        fields: { title: expect.stringContaining('3') },
      },
      taken: { status: 409, code: 'conflict', fields: { slug: 'is taken by another row' } },
      gone: { status: 404, code: 'not_found', fields: {} },
      wrong: { status: 401, code: 'invalid_credentials', fields: {} },
      refreshes: 1,
      afterLogout: { tokens: null, status: 401, code: 'unauthorized', fields: {} },
      asNobody: [expect.any(Number), null],
      aborted: 'AbortError',
    });
  },
);

test('a client knows the values of every type', async () => {
  expect(await useClient('every-type', 'sqlite')).toEqual({
    plan: 'AAEC',
    number: '9007199254740993',
    day: '2020-02-29',
    settings: { colour: 'blue', sizes: [1], frame: null },
    topics: 1,
    found: ['urn-1'],
    changed: [null, 'A & B?', true],
    walked: ['Bronze'],
  });
});

/** Makes the client as an owner does, compiles the program that uses it, and runs that against the server. */
async function useClient(name: Fixture, engine: Engine): Promise<unknown> {
  const { folder, env } = await builtApp(name, engine);
  const client = join(folder, 'client');
  await must('npm', ['run', 'client'], { cwd: folder, env });
  await cp(join(root, 'fixtures/clients', `${name}.ts`), join(client, 'use.ts'));
  await writeFile(join(client, 'tsconfig.json'), JSON.stringify(frontEndSettings));
  const project = ['--project', 'client', ...oneChecker];
  await must('node_modules/.bin/tsc', project, { cwd: folder });
  await must('npm', ['run', 'lint'], { cwd: folder });

  const server = await startServer({
    cwd: folder,
    env,
    command: [process.execPath, 'dist/server.js', '--migrate'],
  });
  if (name === 'every-type') await makeCurator(folder, env);
  const args = ['scripts/typescript.js', 'client/use.ts'];
  const used = await must(process.execPath, args, {
    cwd: folder,
    env: { SERVER_URL: server.url },
  }).finally(() => server.stop());
  return JSON.parse(used.stdout);
}

async function makeCurator(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  const who = [
    '--email',
    'cy@example.test',
    '--name',
    'Cy',
    '--birthday',
    '1980-01-01',
    '--badge',
    'AB-12',
  ];
  const args = ['dist/cli.js', 'create-user', ...who, '--role', 'curator'];
  const input = 'correct horse battery';
  await must(process.execPath, args, { cwd: folder, env, input });
}
