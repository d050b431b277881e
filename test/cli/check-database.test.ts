import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { scratchFolder } from '../support/scratch.ts';
import { blogProject } from './blog-project.ts';
import { fakeNpm } from './fake-npm.ts';
import { check, regenerate } from './in-process.ts';

afterEach(() => vi.unstubAllEnvs());

const inStep = { applied: ['0001_initial'], pending: [], unknown: [], altered: [], drift: [] };

describe('scaffold check asks the project about its database', () => {
  test.each([
    ['nothing to say', inStep, 0, /^$/],
    [
      'a migration to apply',
      { ...inStep, applied: [], pending: ['0001_initial'] },
      0,
      /^\nwarning SCF515 {2}Not applied to the database yet: `0001_initial`\./,
    ],
    [
      'a migration that was edited, and one that is gone',
      { ...inStep, altered: ['0001_initial'], unknown: ['0002_more'] },
      5,
      /error SCF515 {2}The database has applied `0002_more`[\s\S]*help: .*restore `migrations\/0002_more`[\s\S]*error SCF515 {2}`migrations\/0001_initial` was edited/,
    ],
    [
      'a migration that ended half-way',
      { ...inStep, pending: ['0002_more'], underWay: { id: '0002_more', command: 'db:migrate' } },
      5,
      /error SCF515 {2}The migration `0002_more` was applied to the database in part[\s\S]*help: `npm run db:migrate` finishes it/,
    ],
    [
      'drift',
      {
        ...inStep,
        drift: [
          { kind: 'missing', object: 'column posts.title' },
          { kind: 'different', object: 'column posts.body', expected: 'text', found: 'blob' },
        ],
      },
      5,
      /error SCF515 {2}The database is missing: column posts\.title\.\n[\s\S]*It is `blob` and should be `text`\./,
    ],
    [
      'something of the owner’s own',
      { ...inStep, drift: [{ kind: 'extra', object: 'table mine' }] },
      0,
      /^\nnote SCF515 {2}The database also has: table mine\.\n$/,
    ],
    ['an unreadable answer', 'well …', 0, /^\nnote SCF609 {2}The database was not checked: /],
  ])('%s', async (_, answer, status, says) => {
    const { folder } = await blogProject();
    await answerStatus(folder, answer);
    const { code, stdout, stderr } = await check(folder);
    const said = stderr.replace(/^\nWho may do what.*\n( {2}\w+ .*\n)+/, '');
    expect({ code, said }).toEqual({ code: status, said: expect.stringMatching(says) });
    if (status === 0) expect(stdout).toContain('The project is in step with it.');
  });
});

describe('scaffold regenerate --undo asks it as well', () => {
  const pending = { ...inStep, pending: ['0002_change'] };
  test.each([
    [
      'has not applied it: it is undone',
      pending,
      '      body: text\n      mood: text?\n',
      0,
      /restored to the state/,
    ],
    [
      'has applied it: that is rolled back first',
      inStep,
      '      body: text\n      mood: text?\n',
      7,
      /has applied `0002_change`, which[^]*help: Roll it back: `npm run db:rollback`, then/,
    ],
    [
      'has applied part of it: that is finished first',
      { ...pending, underWay: { id: '0002_change', command: 'db:migrate' } },
      '      body: text\n      mood: text?\n',
      7,
      /has applied `0002_change` in part, which[^]*help: Let it end first: `npm run db:migrate`\. Roll it back: /,
    ],
    [
      'has applied it, and there is no way back: the next one goes on from there',
      inStep,
      '',
      7,
      /has applied `0002_change`, which[^]*help: Not all of that has a `down\.sql`: change the schema/,
    ],
  ])('where the database %s', async (_, answer, field, status, says) => {
    const { folder, edit } = await blogProject();
    await edit('schema.yaml', '      body: text\n', field);
    const accept = ['SCF412:Post.body'];
    const made = await regenerate(folder, { accept, name: 'change' });
    expect(made).toMatchObject({ code: 0 });
    await answerStatus(folder, answer);
    const { code, stderr } = await regenerate(folder, { undo: true });
    expect({ code, stderr }).toEqual({ code: status, stderr: expect.stringMatching(says) });
  });
});

/** In the place of the project's own `db:status`. */
async function answerStatus(folder: string, answer: unknown): Promise<void> {
  const runner = join(folder, 'node_modules/@oxc-node/core');
  await mkdir(runner, { recursive: true });
  await writeFile(join(runner, 'package.json'), '{}');
  const printed = JSON.stringify(JSON.stringify(answer));
  const npm = await scratchFolder('cli-npm');
  const { PATH } = await fakeNpm(npm, { status: `console.log(${printed}); process.exit(1);` });
  vi.stubEnv('PATH', PATH);
}
