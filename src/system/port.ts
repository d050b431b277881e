import { createServer } from 'node:net';

/** The wanted port, or the next free one. */
export async function freePort(wanted: number): Promise<number> {
  return (await isFree(wanted)) ? wanted : freePort(wanted + 1);
}

export function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(true)));
  });
}
