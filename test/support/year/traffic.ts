import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Client, clientOf } from '../client.ts';

export interface Failure {
  readonly request: string;
  readonly status: number;
  readonly body: string;
}

/** Somebody who reads and writes all the time, on whichever server is in use. */
export interface Traffic {
  /** From now on on another server; what was under way has ended when it answers. */
  moveTo(url: string): Promise<void>;
  /** Failures since the last time that somebody asked, and how many requests there were. */
  taken(): { readonly failures: readonly Failure[]; readonly count: number };
  /** Ids of comments that the server said it had kept, and that nobody deleted. */
  kept(): readonly unknown[];
  /** What was sent has been answered, and no more is sent until it moves. */
  pause(): Promise<void>;
  end(): Promise<void>;
}

interface Person {
  readonly email: string;
  readonly password: string;
  readonly post: number;
}

export async function startTraffic(url: string, person: Person): Promise<Traffic> {
  let client: Client | undefined = await enter(url);
  const over = new AbortController();
  let failures: Failure[] = [];
  let count = 0;
  let underWay: Promise<void> = Promise.resolve();
  const kept: unknown[] = [];

  async function enter(at: string): Promise<Client> {
    const entered = clientOf(at);
    const { access_token: token } = await entered.login(person.email, person.password);
    if (token === undefined) throw new Error(`Nobody can log in at ${at}.`);
    return entered;
  }
  async function send(method: string, path: string, status: number, json?: unknown) {
    if (!client) return undefined;
    count += 1;
    const answer: Answer = await client.call(method, path, json).catch((error: unknown) => ({
      status: 0,
      body: { error: String(error) },
    }));
    if (answer.status !== status) {
      const { status: found, body } = answer;
      failures.push({ request: `${method} ${path}`, status: found, body: JSON.stringify(body) });
      return undefined;
    }
    return answer.body;
  }
  async function round(): Promise<void> {
    await send('GET', '/api/posts/?limit=5', 200);
    await send('GET', `/api/posts/${person.post}`, 200);
    await send('GET', '/api/topics/?limit=5', 200);
    const json = { body: 'Said meanwhile.', post_id: person.post };
    const made = await send('POST', '/api/comments/', 201, json);
    if (made === undefined) return;
    const id = made['id'];
    kept.push(id);
    await send('PATCH', `/api/comments/${String(id)}`, 200, { body: 'Said otherwise.' });
    if (kept.length % 3 > 0) return;
    const gone = await send('DELETE', `/api/comments/${String(id)}`, 204);
    if (gone !== undefined) kept.pop();
  }
  const loop = (async () => {
    while (!over.signal.aborted) {
      underWay = round();
      await underWay;
      await sleep(150);
    }
  })();
  const pause = async () => {
    client = undefined;
    await underWay;
  };
  return {
    async moveTo(at) {
      const next = await enter(at);
      await pause();
      client = next;
    },
    taken() {
      const found = { failures, count };
      [failures, count] = [[], 0];
      return found;
    },
    kept: () => [...kept],
    pause,
    async end() {
      over.abort();
      await loop;
    },
  };
}
