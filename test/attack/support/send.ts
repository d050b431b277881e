import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Sent {
  readonly method: string;
  /** As it is written in the request line. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** What the body means, when it is JSON that every parser reads alike. */
  readonly json?: unknown;
}

export interface Received {
  /** 0 when no answer came. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly milliseconds: number;
}

/** Sends what `fetch` would not: any path, method and header that can be written. */
export function sender(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const { hostname, port } = new URL(url);

  const once = (sent: Sent, connection: Agent | false) =>
    new Promise<Received>((done) => {
      const begun = performance.now();
      const { method, path, headers, body } = sent;
      const length = { 'content-length': String(Buffer.byteLength(body ?? '')) };
      const answerOf = (status: number, received: IncomingHttpHeaders, text: string) =>
        done({ status, headers: received, body: text, milliseconds: performance.now() - begun });
      const asked = request({
        hostname,
        port,
        method,
        path,
        agent: connection,
        timeout: 60_000,
        headers: { ...(body !== undefined && length), ...headers },
      });
      asked.on('timeout', () => asked.destroy(new Error('none within a minute')));
      asked.on('error', (error) => answerOf(0, {}, String(error)));
      asked.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('error', (error) => answerOf(0, {}, String(error)));
        response.on('end', () => answerOf(response.statusCode ?? 0, response.headers, text));
      });
      asked.end(body);
    });

  return {
    /** When a connection was closed while it was idle, another one is tried once. */
    async send(sent: Sent): Promise<Received> {
      const received = await once(sent, agent);
      return received.status === 0 ? once(sent, false) : received;
    },
    close: () => agent.destroy(),
  };
}

export type Sender = ReturnType<typeof sender>;
