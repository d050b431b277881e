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
  /** Asked for each request, as are the others. */
  readonly path: () => string;
  readonly token?: () => string;
  readonly body?: () => string;
}

export interface Contest {
  readonly ours: Side;
  readonly ceiling: Side;
  readonly rounds?: number;
  readonly seconds?: number;
  readonly connections?: number;
}

/**
 * Seconds before anything is measured. V8 compiles what runs often in threads of its own, whose time is the server's,
 * too: on two cores, a request takes twice as long in the first two seconds, and the least after some six.
 */
const warmUp = { ofServer: 10, ofRequest: 3 } as const;
const warm = new Set<number>();

/** The two in turn, round by round, so that what else the machine does falls on both. */
export async function compare(contest: Contest): Promise<Comparison> {
  const { rounds = 5, seconds = 4, connections = 32 } = contest;
  const load = async ({ pid, ...side }: Side, time: number): Promise<Figures> => {
    const [start, spent] = [performance.now(), cpuOf(pid)];
    const perSecond = await requestsPerSecond({ ...side, connections, seconds: time });
    const requests = (perSecond * (performance.now() - start)) / 1000;
    return { perSecond, cpu: (cpuOf(pid) - spent) / requests };
  };
  for (const side of [contest.ceiling, contest.ours]) {
    await load(side, warm.has(side.pid) ? warmUp.ofRequest : warmUp.ofServer);
    warm.add(side.pid);
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
