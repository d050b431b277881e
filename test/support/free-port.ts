import { createServer } from 'node:net';
import { askDesk } from './desk.ts';

/** A loopback port that is given to nobody else in this run, and nine above it. */
export async function freePort(): Promise<number> {
  return process.env['TEST_DESK'] === undefined ? nextPort() : Number(await askDesk('/port'));
}

/**
 * Above 10,080, the last one that `fetch` refuses, and below those that the system gives to whoever takes any; runs beside
 * each other begin at different places.
 */
const [first, count] = [10_100, 19_900];
let next = (process.pid * 10) % count;

/** Of this process. None is given twice: it may take a while until somebody listens there. */
export async function nextPort(): Promise<number> {
  next = (next + 10) % count;
  return (await isFree(first + next)) ? first + next : nextPort();
}

function isFree(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const server = createServer();
    server.once('error', () => answer(false));
    server.listen(port, '127.0.0.1', () => server.close(() => answer(true)));
  });
}
