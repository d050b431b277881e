import { createServer } from 'node:net';

/** The port that the environment names, by default that of every project; if it is in use, the next free one. */
export async function freePort(wanted = Number(process.env['PORT']) || 3000): Promise<number> {
  return (await isFree(wanted)) ? wanted : freePort(wanted + 1);
}

export function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(true)));
  });
}
