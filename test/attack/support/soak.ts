import type { Chance } from './chance.ts';
import type { Meeting, Person } from './people.ts';
import type { Received } from './send.ts';
import type { Figures } from './watched-server.ts';

/** One of ten parts of a long run. */
interface Part {
  readonly figures: Figures;
  /** In milliseconds. */
  readonly median: number;
  /** The time within which 99 of 100 answers came. */
  readonly slow: number;
}

const atOnce = 8;
const parts = 10;

/** A mix of what clients of a blog do that leaves as many rows at the end as after a minute. */
export async function soak(
  meeting: Meeting,
  { chance, count }: { readonly chance: Chance; readonly count: number },
): Promise<readonly Part[]> {
  const visitors = await Promise.all(
    Array.from({ length: atOnce }, (_, number) => visitorOf(meeting, chance, number)),
  );
  const found: Part[] = [];
  for (let part = 0; part < parts; part += 1) {
    const times: number[] = [];
    let left = Math.ceil(count / parts);
    await Promise.all(
      visitors.map(async (visit) => {
        while (left-- > 0) times.push((await visit()).milliseconds);
      }),
    );
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
    found.push({ figures: await meeting.server.figures(), median: at(0.5), slow: at(0.99) });
  }
  return found;
}

interface Call {
  readonly status: number;
  readonly method?: string;
  readonly path: string;
  readonly json?: object;
}

/** Sends one request each time that it is called, and throws when the answer does not have the expected status. */
async function visitorOf(meeting: Meeting, chance: Chance, number: number) {
  const person = meeting.people[number % meeting.people.length];
  if (person === undefined) throw new Error('Nobody visits.');
  const call = caller(meeting, person);
  const slug = `post-${number}`;
  const json = { title: `Post ${number}`, slug, body: 'Of some length.', status: 'published' };
  const post = await call({ status: 201, method: 'POST', path: '/api/posts/', json });
  const postId: number = JSON.parse(post.body).id;
  const own: number[] = [];

  const comment = async () => {
    const text = { body: `Comment ${chance.below(1e6)}`, post_id: postId };
    const path = '/api/comments/';
    const made = await call({ status: 201, method: 'POST', path, json: text });
    own.push(JSON.parse(made.body).id);
    return made;
  };
  const ownPath = () => `/api/comments/${own[chance.below(own.length)]}`;
  const remove = () => call({ status: 204, method: 'DELETE', path: `/api/comments/${own.pop()}` });
  const change = () =>
    call({ status: 200, method: 'PATCH', path: ownPath(), json: { body: 'Another text' } });
  const get = (path: string, status = 200) => call({ status, path });

  const kinds: readonly (() => Promise<Received>)[] = [
    comment,
    remove,
    change,
    change,
    () => get(ownPath()),
    () => get(`/api/posts/${postId}`),
    () => get('/api/posts/?limit=10&order_by=-id'),
    () => get(`/api/comments/?post_id=${postId}&limit=20`),
    () => get('/api/posts/?title__icontains=post&fields=title,author.name'),
    () => get(`/api/comments/?filter=${encodeURIComponent('["body","contains","7"]')}&limit=5`),
    () => get('/auth/me'),
    () => get('/api/posts/999999999', 404),
    () => get('/api/posts/?nope=1', 422),
    () => call({ status: 422, method: 'POST', path: '/api/comments/', json: { body: '' } }),
  ];
  return async (): Promise<Received> => {
    if (own.length < 5) return comment();
    if (own.length > 20) return remove();
    // A login hashes, which takes a hundred times as long as anything else.
    if (chance.oneIn(1000)) person.lost();
    return (kinds[chance.below(kinds.length)] ?? comment)();
  };
}

function caller({ sender }: Meeting, person: Person) {
  return async ({ status, method = 'GET', path, json }: Call): Promise<Received> => {
    const headers = {
      authorization: `Bearer ${await person.token()}`,
      ...(json && { 'content-type': 'application/json' }),
    };
    const body = json && JSON.stringify(json);
    const received = await sender.send({ method, path, headers, ...(body && { body }) });
    if (received.status === status) return received;
    throw new Error(`${method} ${path}: ${received.status} for ${status}, ${received.body}`);
  };
}

/** How much these values rise from the first to the last one, on the straight line that fits them best. */
export function riseOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const covariance = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0);
  const variance = values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
  return (covariance / variance) * (values.length - 1);
}

/** A line for each part: its number, and a bar of that length. */
export function bars(name: string, values: readonly number[]): string {
  const most = Math.max(...values, 1e-9);
  const lines = values.map(
    (value, part) =>
      `  ${String(part + 1).padStart(2)} ${value.toFixed(1).padStart(8)} ${'█'.repeat(Math.round((30 * value) / most))}`,
  );
  return [name, ...lines].join('\n');
}
