import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltApp, builtApp, type Engine, type Fixture } from '../support/built-app.ts';
import { say } from '../support/say.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { chanceOf } from './support/chance.ts';
import { contractOf } from './support/contract.ts';
import { fuzz } from './support/fuzz.ts';
import { asText, startWatched } from './support/watched-server.ts';
import { meet, type Meeting } from './support/people.ts';

const count = trials({ quick: 500, full: 3000, deep: 100_000 });
const seed = searchSeed();

const apps: readonly (readonly [Fixture, Engine, readonly string[]])[] = [
  ['blog', 'sqlite', ['user', 'admin', 'editor']],
  ['blog', 'postgres', ['user', 'admin', 'editor']],
  ['every-type', 'sqlite', ['user', 'admin', 'curator']],
  ['every-type', 'postgres', ['user', 'admin', 'curator']],
];

describe.each(apps)('%s on %s, asked by its document and beyond', (name, engine, roles) => {
  let meeting: Meeting;

  beforeAll(async () => {
    meeting = await startMeeting(await builtApp(name, engine), roles);
  });
  afterAll(() => meeting.end());

  test('does not fail, answers as declared, and does not use more and more memory', async () => {
    const { server } = meeting;
    // What is compiled and cached on first use is not a leak.
    const first = await fuzz(meeting, { chance: chanceOf(seed), count: Math.ceil(count / 5) });
    const before = await server.figures();
    const { faults, statuses } = await fuzz(meeting, { chance: chanceOf(seed + 1), count });
    const after = await server.figures();

    say(`${name} on ${engine}: ${count} requests ${JSON.stringify(statuses)}`);
    say(`before: ${asText(before)}; after: ${asText(after)}`);
    expect({ faults: [...first.faults, ...faults], seed }).toEqual({ faults: [], seed });
    expect(statuses['2xx']).toBeGreaterThan(count / 10);
    expect(after.heldMilliseconds).toBeLessThan(200);
    expect(after.heapMegabytes - before.heapMegabytes).toBeLessThan(30);
    expect(after.rssMegabytes - before.rssMegabytes).toBeLessThan(100);
    expect(after.descriptors - before.descriptors).toBeLessThan(20);
  });
});

test('a HEAD that cannot be read is answered without content', async () => {
  const server = await startWatched(await builtApp('blog', 'sqlite'));
  try {
    const { port } = new URL(server.url);
    const text = await new Promise<string>((done, fail) => {
      let received = '';
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('data', (chunk) => (received += String(chunk)));
      socket.on('end', () => done(received)).on('error', fail);
      socket.write(`HEAD /?${'x'.repeat(20_000)} HTTP/1.1\r\nhost: here\r\n\r\n`);
    });
    expect(text).toMatch(/^HTTP\/1\.1 414 /);
    expect(text).toMatch(/\r\n\r\n$/);
  } finally {
    await server.stop();
  }
});

describe('the fuzzer detects', () => {
  /** A fault of an earlier version: half of a surrogate pair as the name of a field ended in an error. */
  const fault = { file: 'dist/lib/problem.js', from: 'Buffer.from(name).toString()', to: 'name' };
  let meeting: Meeting;

  beforeAll(async () => {
    const app = await builtApp('blog', 'sqlite');
    const file = join(app.folder, fault.file);
    const text = await readFile(file, 'utf8');
    expect(text).toContain(fault.from);
    await writeFile(file, text.replace(fault.from, fault.to));
    meeting = await startMeeting(app, ['user', 'admin']);
  });
  afterAll(() => meeting.end());

  test('a failure that is planted', async () => {
    const { faults } = await fuzz(meeting, { chance: chanceOf(seed), count: 2000 });
    expect(faults.join('\n')).toContain('a failure of the server');
  });

  test.each([
    [{}, undefined],
    [{ status: 418 }, '418 is not declared'],
    [{ status: 500 }, 'a failure of the server'],
    [{ status: 503 }, '503 without Retry-After'],
    [{ status: 0 }, 'no answer'],
    [{ body: '{"status":"ok"}' }, '200 is not of its schema'],
    [{ headers: {} }, 'is not declared for 200'],
  ])('an answer with %o', (changed, expected) => {
    const headers = { 'content-type': 'application/json' };
    const good = { status: 200, headers, body: '{"status":"ok","version":"1"}', milliseconds: 1 };
    const sent = { method: 'GET', path: '/health/live', headers: {} };
    const found = contractOf(meeting.document)(sent, { ...good, ...changed });
    if (expected === undefined) expect(found).toBe(undefined);
    else expect(found).toContain(expected);
  });
});

async function startMeeting(app: BuiltApp, roles: readonly string[]): Promise<Meeting> {
  return meet(app, await startWatched(app), { roles, chance: chanceOf(seed + 2) });
}
