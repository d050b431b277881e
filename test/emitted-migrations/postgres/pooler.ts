import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Pooler {
  /** The URL of the same database, by way of the pooler. */
  readonly url: string;
  close(): void;
}

type Mode = 'session' | 'transaction';

/**
 * A pooler like PgBouncer: it answers the greeting of its clients itself and lends them a session of the server,
 * for as long as they stay or for each transaction. The session that was returned last is lent first.
 */
export async function startPooler(target: string, mode: Mode): Promise<Pooler> {
  const { hostname, port, username, pathname } = new URL(target);
  const free: Session[] = [];
  const sockets = new Set<Socket>();
  const borrow = async () => {
    const known = free.pop();
    if (known !== undefined) return known;
    const socket = connect({ port: Number(port), host: hostname, noDelay: true });
    sockets.add(socket.on('error', () => {}));
    const session = { socket, incoming: splitter(socket) };
    socket.write(startup(username, pathname.slice(1)));
    await session.incoming.until('Z');
    return session;
  };
  const server = createServer({ noDelay: true }, (client) => {
    sockets.add(client.on('error', () => {}));
    void serve(client, { mode, borrow, giveBack: (session) => free.push(session) });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const here = typeof address === 'object' ? address?.port : undefined;
  return {
    url: target.replace(`:${port}/`, `:${here}/`),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

interface Session {
  readonly socket: Socket;
  readonly incoming: Splitter;
}

interface Lending {
  readonly mode: Mode;
  borrow(): Promise<Session>;
  giveBack(session: Session): void;
}

async function serve(client: Socket, { mode, borrow, giveBack }: Lending): Promise<void> {
  const incoming = splitter(client, 'greeting');
  await incoming.next();
  client.write(Buffer.concat([message('R', [0, 0, 0, 0]), readyForQuery]));
  let session: Session | undefined;
  for (;;) {
    const request = await incoming.next();
    if (request === undefined || request.type === 'X') break;
    session ??= await borrow();
    session.socket.write(request.bytes);
    // A simple query, or the end of an extended one: the server answers until it is ready for the next.
    if (request.type !== 'Q' && request.type !== 'S') continue;
    const state = await session.incoming.until('Z', (bytes) => client.write(bytes));
    if (mode === 'transaction' && state === 'I') {
      giveBack(session);
      session = undefined;
    }
  }
  client.end();
  if (session !== undefined) giveBack(session);
}

interface Message {
  readonly type: string;
  readonly bytes: Buffer;
}

interface Splitter {
  next(): Promise<Message | undefined>;
  /** Passes messages on until one of this type, and returns the last byte of that one. */
  until(type: string, pass?: (bytes: Buffer) => void): Promise<string>;
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html; a greeting has no byte for its type. */
function splitter(socket: Socket, first?: 'greeting'): Splitter {
  const messages = split(socket, first);
  const next = async () => {
    const { done, value } = await messages.next();
    return done === true ? undefined : value;
  };
  return {
    next,
    async until(type, pass = () => {}) {
      for (;;) {
        const found = await next();
        if (found === undefined) return '';
        pass(found.bytes);
        if (found.type === type) return found.bytes.toString('latin1', found.bytes.length - 1);
      }
    },
  };
}

async function* split(socket: Socket, first?: 'greeting'): AsyncGenerator<Message> {
  let rest: Buffer = Buffer.alloc(0);
  let skip = first === undefined ? 1 : 0;
  try {
    for await (const chunk of socket) {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= skip + 4 && rest.length >= skip + rest.readInt32BE(skip)) {
        const length = skip + rest.readInt32BE(skip);
        yield { type: rest.toString('latin1', 0, skip), bytes: rest.subarray(0, length) };
        rest = rest.subarray(length);
        skip = 1;
      }
    }
  } catch {
    // The other side has closed the connection: nothing more will come.
  }
}

function startup(user: string, database: string): Buffer {
  const body = Buffer.from(`user\0${user}\0database\0${database}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + body.length);
  head.writeInt32BE(3 << 16, 4);
  return Buffer.concat([head, body]);
}

function message(type: string, body: readonly number[]): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, Buffer.from(body)]);
}

const readyForQuery = message('Z', ['I'.charCodeAt(0)]);
