import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, farewells, staff } from './support/blog/accounts.ts';
import { edges, lists } from './support/blog/lists.ts';
import { rows } from './support/blog/rows.ts';
import { builtApp } from './support/built-app.ts';
import { converse, type Reply } from './support/conversation.ts';
import { everyType, staff as curators } from './support/every-type/requests.ts';
import { masks } from './support/masks.ts';
import { must } from './support/run.ts';
import { type Server, startServer } from './support/server.ts';

const engines = ['sqlite', 'postgres'] as const;

const conversations = [
  {
    fixture: 'blog',
    people: staff,
    turns: [...accounts, ...rows, ...lists, ...edges, ...farewells],
    generated: [],
  },
  {
    fixture: 'every-type',
    people: curators,
    turns: everyType,
    generated: ['ticket', 'arrived_at'],
  },
] as const;

describe.each(conversations)('$fixture', ({ fixture, people, turns, generated }) => {
  const replies: Record<(typeof engines)[number], readonly Reply[]> = { sqlite: [], postgres: [] };
  const servers: Server[] = [];
  const titles = turns.map(({ says, send, status }, at) => ({ at, says, send, status }));

  beforeAll(async () => {
    for (const engine of engines) {
      const { folder, env } = await builtApp(fixture, engine);
      const command = [process.execPath, 'dist/server.js', '--migrate'] as const;
      const server = await startServer({ cwd: folder, env, command });
      servers.push(server);
      for (const { name, email, role, password, fields } of people) {
        const args = [
          '--name',
          name,
          '--email',
          email,
          '--role',
          role,
          '--password',
          password,
          ...fields,
        ];
        await must(process.execPath, ['dist/cli.js', 'create-user', ...args], { cwd: folder, env });
      }
      replies[engine] = await converse(server.url, { turns, generated });
    }
  });

  afterAll(async () => {
    for (const server of servers) await server.stop();
  });

  describe.each(engines)('on %s answers as the contract says', (engine) => {
    test.each(titles)('$at $says', ({ at, send, status }) => {
      const reply = replies[engine][at];
      const body = reply?.body;
      expect({ send, status: reply?.status, body }).toEqual({ send, status, body });
    });
  });

  describe('answers the same on both engines', () => {
    test.each(titles)('$at $says', ({ at, send }) => {
      expect({ send, ...replies.postgres[at] }).toEqual({ send, ...replies.sqlite[at] });
    });
  });
});

describe('the comparison sees', () => {
  const ann = { id: 7, name: 'Ann', created_at: '2026-01-02T03:04:05.678Z' };

  test.each([
    ['another value', { ...ann, name: 'Bob' }],
    ['a missing key', { id: 7, name: 'Ann' }],
    ['a time in another form', { ...ann, created_at: '2026-01-02 03:04:05.678+00' }],
    ['a number for a text', { ...ann, name: 7 }],
  ])('%s', (_, other) => expect(said(other)).not.toEqual(said(ann)));

  test('a reference to another row', () => {
    expect(said([{ id: 7 }, { author_id: 7 }])).not.toEqual(said([{ id: 7 }, { author_id: 8 }]));
  });

  test('no difference in ids, times and tokens', () => {
    const other = { id: 9, name: 'Ann', created_at: '2026-06-07T08:09:10.111Z' };
    expect(said(other)).toEqual(said(ann));
  });
});

function said(body: unknown): unknown {
  return masks('http://127.0.0.1:1').body(body);
}
