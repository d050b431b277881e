import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { type Engine, engines } from '../../src/types/field-type.ts';
import { commandLine } from '../cli/in-process.ts';
import { clientOf } from '../support/client.ts';
import { type OwnedProject, ownedProject } from '../support/owned-project.ts';
import { freshDatabase } from '../support/postgres.ts';
import { must, run } from '../support/run.ts';
import { scratchFolder } from '../support/scratch.ts';
import { startServer, testSecret } from '../support/server.ts';
import { prismaDatabase } from './databases.ts';

test.each(engines)(
  'a database of another program on %s is taken over, with its rows, its users and that program',
  async (engine) => {
    const { url, write } = await otherProgram(engine);
    const project = await projectOf(url);
    const baseline = (...args: readonly string[]) =>
      run('npm', ['run', '--silent', 'db:baseline', '--', ...args], at(project, url));
    expect(await baseline()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('It can be taken over'),
    });
    expect(await baseline('--apply')).toMatchObject({ code: 0 });
    expect(await postsOf(project, url, 'title,status,tags.name')).toMatchObject({
      total: 2,
      items: [
        { title: 'One', status: 'PUBLISHED', tags: [{ name: 'red' }, { name: 'blue' }] },
        { title: 'Two', status: 'DRAFT', tags: [{ name: 'blue' }] },
      ],
    });

    const writer = keepWriting(write);
    await project.edit('schema.yaml', ['body: text?', 'body: text?\n      stars: int = 3']);
    expect(await project.scaffold('regenerate')).toMatchObject({ code: 0 });
    await must('npm', ['run', '--silent', 'db:migrate'], at(project, url));
    const written = await writer.stop();
    expect(written.length).toBeGreaterThan(1);
    const titles = ['One', 'Two', ...written];
    expect(await postsOf(project, url, 'title,stars')).toMatchObject({
      total: titles.length,
      items: titles.slice(0, 50).map((title) => ({ title, stars: 3 })),
    });
  },
);

interface OtherProgram {
  readonly url: string;
  /** A post, as that program writes it before and after. */
  write(title: string): Promise<void>;
}

async function otherProgram(engine: Engine): Promise<OtherProgram> {
  const columns = '"title", "status", "authorId", "createdAt", "updatedAt"';
  if (engine === 'sqlite') {
    const path = join(await scratchFolder('other-program'), 'app.db');
    const file = new DatabaseSync(path, { timeout: 60_000 });
    onTestFinished(() => void file.close());
    file.exec(prismaDatabase.sqlite);
    const insert = `insert into "Post" (${columns}) values (?, 'DRAFT', 'ckp2', ?, ?)`;
    const write = async (title: string) => {
      const now = new Date().toISOString();
      file.prepare(insert).run(title, now, now);
    };
    return { url: `file:${path}`, write };
  }
  const url = await freshDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(prismaDatabase.postgres);
  const insert = `insert into "Post" (${columns}) values ($1, cast('DRAFT'::text as "Status"), 'ckp2', $2, $2)`;
  const write = async (title: string) => void (await client.query(insert, [title, new Date()]));
  return { url, write };
}

/** What it imports is a project as it is. */
async function projectOf(url: string): Promise<OwnedProject> {
  const cwd = await scratchFolder('coming-over');
  expect(await commandLine(['import', 'db', url], { cwd })).toMatchObject({ code: 0 });
  return ownedProject('--schema', join(cwd, 'schema.yaml'));
}

const at = ({ folder }: OwnedProject, url: string) => ({
  cwd: folder,
  env: { DATABASE_URL: url, AUTH_SECRET_KEY: testSecret },
});

/** The first of them, as Ada reads them, who signs in with the password that she had. */
async function postsOf(project: OwnedProject, url: string, fields: string): Promise<unknown> {
  await project.npm('build', '--', '--noCheck');
  const server = await startServer(at(project, url));
  try {
    const ada = clientOf(server.url);
    await ada.login('ada@example.com', 'correct horse battery');
    const { body } = await ada.call('GET', `/api/posts/?limit=50&fields=${fields}`);
    return body;
  } finally {
    await server.stop();
  }
}

/** All the time, until it is told to stop: it answers what it has written, and throws where that failed. */
function keepWriting(write: (title: string) => Promise<void>) {
  const over = new AbortController();
  const work = async (): Promise<readonly string[]> => {
    const written: string[] = [];
    while (!over.signal.aborted) {
      const title = `Written ${written.length}`;
      await write(title);
      written.push(title);
      await sleep(50);
    }
    return written;
  };
  const underWay = work();
  underWay.catch(() => undefined);
  return {
    stop(): Promise<readonly string[]> {
      over.abort();
      return underWay;
    },
  };
}
