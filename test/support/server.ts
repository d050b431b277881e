import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { environment, hanging } from './run.ts';
import { expectWorld } from './tier.ts';

export interface Server {
  /** `http://127.0.0.1:40123`, without a slash at the end. */
  readonly url: string;
  readonly pid: number;
  /** Everything it has printed so far. */
  output(): string;
  /** Sends SIGTERM and answers with the exit status; `null` when it had to be killed. */
  stop(): Promise<number | null>;
}

export interface ServerOptions {
  readonly cwd: string;
  readonly command?: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Where it listens; without it, on a port that is free. */
  readonly port?: number;
  /** Answers 200 once the server can be used. */
  readonly ready?: string;
}

/** Starts a server as a process of its own on a free loopback port and waits until it is ready. */
export async function startServer(options: ServerOptions): Promise<Server> {
  expectWorld('starts a server');
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const [program, ...args] = options.command ?? [process.execPath, 'dist/server.js'];
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: environment({ NODE_ENV: 'production', ...settings(url, port), ...options.env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += String(chunk)));
  child.stderr.on('data', (chunk) => (printed += String(chunk)));
  const exited: Promise<unknown[]> = once(child, 'exit');
  const server: Server = {
    url,
    pid: child.pid ?? 0,
    output: () => printed,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill('SIGTERM');
      const ended = await Promise.race([
        exited.then(() => true),
        sleep(60_000, false, { ref: false }),
      ]);
      if (!ended) child.kill('SIGKILL');
      await exited;
      return child.exitCode;
    },
  };
  try {
    await untilReady(`${url}${options.ready ?? '/health/ready'}`, () => child.exitCode !== null);
  } catch (error) {
    await server.stop();
    throw new Error(`The server did not start: ${String(error)}\n${printed}`, { cause: error });
  }
  return server;
}

/** A secret that is good enough for the shortest algorithm and known to the tests. */
export const testSecret = 'a secret for the tests of this server, nothing else';

function settings(url: string, port: number): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: url,
    AUTH_SECRET_KEY: testSecret,
    AUTH_BCRYPT_COST: '10',
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
    DOCS: 'on',
  };
}

async function untilReady(url: string, hasExited: () => boolean): Promise<void> {
  const deadline = performance.now() + hanging;
  while (performance.now() < deadline) {
    if (hasExited()) throw new Error('it exited');
    const status = await fetch(url, { signal: AbortSignal.timeout(30_000) }).then(
      async (response) => (await response.text(), response.status),
      () => 0,
    );
    if (status === 200) return;
    await sleep(50);
  }
  throw new Error('it was never ready');
}
