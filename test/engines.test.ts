import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, farewells, staff } from './support/blog/accounts.ts';
import { edges, lists } from './support/blog/lists.ts';
import { rows } from './support/blog/rows.ts';
import { converse, type Reply, type Turn } from './support/conversation.ts';
import { builtApp } from './support/built-app.ts';
import { must } from './support/run.ts';
import { type Server, startServer } from './support/server.ts';

const turns: readonly Turn[] = [...accounts, ...rows, ...lists, ...edges, ...farewells];
const replies: Record<'sqlite' | 'postgres', readonly Reply[]> = { sqlite: [], postgres: [] };
const servers: Server[] = [];

beforeAll(async () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    const { folder, env } = await builtApp('blog', engine);
    const server = await startServer({
      cwd: folder,
      env,
      command: [process.execPath, 'dist/server.js', '--migrate'],
    });
    servers.push(server);
    for (const { name, email, role, password } of staff) {
      const args = [
        'run',
        '--silent',
        'user:create',
        '--',
        '--name',
        name,
        '--email',
        email,
        '--role',
        role,
      ];
      await must('npm', [...args, '--password', password], { cwd: folder, env });
    }
    replies[engine] = await converse(server.url, turns);
  }
}, 600_000);

afterAll(async () => {
  for (const server of servers) await server.stop();
});

describe.each(['sqlite', 'postgres'] as const)(
  'the blog on %s answers as the contract says',
  (engine) => {
    test.each(turns.map(({ says, send, status }, at) => ({ at, says, send, status })))(
      '$at $says',
      ({ at, send, status }) => {
        const reply = replies[engine][at];
        expect({ send, status: reply?.status, body: reply?.body }).toEqual({
          send,
          status,
          body: reply?.body,
        });
      },
    );
  },
);

describe('both engines answer alike', () => {
  test.each(turns.map(({ says, send }, at) => ({ at, says, send })))('$at $says', ({ at }) => {
    expect(replies.postgres[at]).toEqual(replies.sqlite[at]);
  });

  test('and the comparison sees a difference', async () => {
    const [first] = replies.sqlite;
    expect({ ...first, status: 500 }).not.toEqual(first);
    expect(turns.length).toBeGreaterThan(100);
  });
});
