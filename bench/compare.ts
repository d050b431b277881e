import { readdirSync, readFileSync } from 'node:fs';
import { requestsPerSecond } from './load.ts';

/** Medians over the rounds. */
export interface Figures {
  readonly perSecond: number;
  /** Processor time of the server for a request, in microseconds: other programs take none of that. */
  readonly cpu: number;
}

export interface Comparison {
  readonly ours: Figures;
  readonly ceiling: Figures;
}

interface Side {
  readonly url: string;
  readonly pid: number;
  readonly token?: () => string;
  /** Where the two are not asked for the same. */
  readonly path?: () => string;
  readonly body?: () => string;
}

export interface Contest {
  readonly ours: Side;
  readonly ceiling: Side;
  readonly path: () => string;
  readonly rounds?: number;
  readonly seconds?: number;
  readonly connections?: number;
}

/**
 * Requests before anything is measured. V8 compiles what runs often in threads of its own, whose time is the server's,
 * too: on Node 20 a request takes three times as long until then, and how long that is depends on the machine.
 */
const warmUp = 8000;
const longestWarmUp = 10_000;

/** The two in turn, round by round, so that what else the machine does falls on both. */
export async function compare(contest: Contest): Promise<Comparison> {
  const { rounds = 5, seconds = 4, connections = 32 } = contest;
  const load = async (side: Side, time: number): Promise<Figures & { requests: number }> => {
    const { url, pid, token, body } = side;
    const [start, spent] = [performance.now(), cpuOf(pid)];
    const path = side.path ?? contest.path;
    const asked = { url, path, token, body, connections, seconds: time };
    const perSecond = await requestsPerSecond(asked);
    const requests = (perSecond * (performance.now() - start)) / 1000;
    return { perSecond, cpu: (cpuOf(pid) - spent) / requests, requests };
  };
  for (const side of [contest.ceiling, contest.ours]) {
    const end = performance.now() + longestWarmUp;
    for (let asked = 0; asked < warmUp && performance.now() < end;)
      asked += (await load(side, 1)).requests;
  }
  const found: { ours: Figures[]; ceiling: Figures[] } = { ours: [], ceiling: [] };
  for (let round = 0; round < rounds; round++) {
    found.ceiling.push(await load(contest.ceiling, seconds));
    found.ours.push(await load(contest.ours, seconds));
  }
  return { ours: medians(found.ours), ceiling: medians(found.ceiling) };
}

/** Microseconds that all threads of a process have run; 0 where the system does not say. */
function cpuOf(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const times = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1000;
  });
  return times.reduce((sum, time) => sum + time, 0);
}

function medians(figures: readonly Figures[]): Figures {
  return {
    perSecond: median(figures.map(({ perSecond }) => perSecond)),
    cpu: median(figures.map(({ cpu }) => cpu)),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const [upper = 0, lower = 0] = [sorted[middle], sorted[middle - 1]];
  return sorted.length % 2 === 1 ? upper : (upper + lower) / 2;
}
