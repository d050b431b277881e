import { connect, type Socket } from 'node:net';

export interface Load {
  readonly url: string;
  /** Asked for each request. */
  readonly path: () => string;
  /** The access token of whoever asks; asked for each request as well. */
  readonly token?: (() => string) | undefined;
  /** JSON to send there by POST; asked for each request as well. */
  readonly body?: (() => string) | undefined;
  readonly connections: number;
  readonly seconds: number;
}

/**
 * Requests answered in a second, over connections that stay open and wait for each answer. It reads as little of an
 * answer as it must (its status, its length), so that one core of client is enough for one core of server.
 */
export async function requestsPerSecond(load: Load): Promise<number> {
  const { hostname, port } = new URL(load.url);
  const { path, token, body } = load;
  const request = () => {
    const login = token === undefined ? '' : `Authorization: Bearer ${token()}\r\n`;
    const sent = body?.() ?? '';
    const kind = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(sent)}\r\n`;
    const [method, about] = body === undefined ? ['GET', ''] : ['POST', kind];
    return `${method} ${path()} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${login}${about}\r\n${sent}`;
  };
  const start = performance.now();
  const end = start + load.seconds * 1000;
  const counts = Array.from({ length: load.connections }, () =>
    ask(connect(Number(port), hostname), request, end),
  );
  const answered = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  return answered / ((performance.now() - start) / 1000);
}

function ask(socket: Socket, request: () => string, end: number): Promise<number> {
  return new Promise((done, failed) => {
    let answered = 0;
    /** Bytes of the present answer that have not come yet; 0 when its head is still to be read. */
    let missing = 0;
    socket.setNoDelay(true);
    socket.on('connect', () => socket.write(request()));
    socket.on('error', failed);
    socket.on('data', (chunk) => {
      missing = missing === 0 ? lengthOf(chunk) - chunk.length : missing - chunk.length;
      if (missing > 0) return;
      answered += 1;
      if (performance.now() < end) {
        socket.write(request());
        return;
      }
      socket.end();
      done(answered);
    });
  });
}

/** Of a whole answer, from a chunk that holds its head. */
function lengthOf(chunk: Buffer): number {
  const headEnd = chunk.indexOf('\r\n\r\n');
  const head = chunk.toString('latin1', 0, headEnd).toLowerCase();
  const body = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  if (!/^http\/1.1 20[01] /.test(head) || body === undefined)
    throw new Error(`Not an answer to count:\n${head}`);
  return headEnd + 4 + Number(body);
}
