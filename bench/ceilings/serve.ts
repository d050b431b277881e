import { createServer } from 'node:http';

export const columns = ['id', 'title', 'body', 'views', 'created_at', 'updated_at'];

export interface Page {
  readonly total: number;
  readonly items: string | null;
}

export interface Reads {
  page(asked: { readonly views: number | undefined; readonly offset: number }): Awaitable<Page>;
  row(id: number): Awaitable<string>;
}

type Awaitable<Value> = Value | undefined | Promise<Value | undefined>;

/** `node:http` that answers what the bench asks for, and nothing else. */
export function serve(reads: Reads): void {
  createServer(async (request, response) => {
    const body = await answer(reads, request.url ?? '');
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  }).listen(Number(process.env['PORT']), '127.0.0.1');

  // Ends as a program that is done, so that `--cpu-prof` writes what it saw.
  process.once('SIGTERM', () => process.exit(0));
}

async function answer(reads: Reads, url: string): Promise<string> {
  const id = /^\/api\/articles\/(\d+)/.exec(url)?.[1];
  if (id !== undefined) return `${await reads.row(Number(id))}`;
  const views = /[?&]views=(\d+)/.exec(url)?.[1];
  const offset = Number(/[?&]offset=(\d+)/.exec(url)?.[1] ?? 0);
  const page = await reads.page({ views: views === undefined ? undefined : Number(views), offset });
  return `{"items":${page?.items ?? '[]'},"total":${page?.total},"limit":50,"offset":${offset}}`;
}
