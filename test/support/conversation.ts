import { fill, type Kept } from './fill.ts';
import { masks } from './masks.ts';

/** One request of a conversation with a server, and the status that answers it. */
export interface Turn {
  readonly says: string;
  /** `POST /api/posts/`; `{ann.id}` stands for what an earlier turn kept, here and in every other text. */
  readonly send: string;
  /** Name of the login whose access token is sent. */
  readonly as?: string;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** A body exactly as it stands; its type is in `headers`. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** Keeps the body, and the ETag as `etag`, under this name. */
  readonly keep?: string;
}

export interface Conversation {
  readonly turns: readonly Turn[];
  /** Fields whose values the server makes up. */
  readonly generated: readonly string[];
}

export interface Reply {
  readonly says: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Sends every turn in order. In the replies, ids, times and tokens are replaced by what they have in common. */
export async function converse(url: string, { turns, generated }: Conversation): Promise<Reply[]> {
  const kept: Kept = new Map();
  const mask = masks(url, generated);
  const replies: Reply[] = [];
  for (const turn of turns) {
    const response = await send(url, turn, kept);
    const body = parse(await response.text());
    const etag = response.headers.get('etag');
    if (turn.keep !== undefined)
      kept.set(turn.keep, { ...object(body), ...(etag !== null && { etag }) });
    const { says } = turn;
    replies.push({
      says,
      status: response.status,
      headers: mask.headers(response.headers),
      body: mask.body(body),
    });
  }
  return replies;
}

function send(url: string, turn: Turn, kept: Kept): Promise<Response> {
  const [method = 'GET', path = '/'] = turn.send.split(/ (.*)/s);
  const headers = new Headers(fill(turn.headers ?? {}, kept));
  if (turn.as !== undefined)
    headers.set('authorization', `Bearer ${fill(`{${turn.as}.access_token}`, kept)}`);
  const init: RequestInit = { method, headers, redirect: 'manual' };
  if (turn.json !== undefined) {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(fill(turn.json, kept));
  }
  if (turn.form !== undefined) init.body = new URLSearchParams(fill(turn.form, kept));
  if (turn.raw !== undefined) init.body = turn.raw;
  return fetch(url + fill(path, kept), init);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function object(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {};
}
