import { requestsPerSecond } from './load.ts';

export interface Comparison {
  /** Requests a second, medians over the rounds. */
  readonly ours: number;
  readonly ceiling: number;
  readonly ratio: number;
}

export interface Contest {
  readonly ours: string;
  readonly ceiling: string;
  readonly path: string;
  readonly rounds?: number;
  readonly seconds?: number;
  readonly connections?: number;
}

/** The two in turn, round by round, so that what else the machine does falls on both; medians quoted. */
export async function compare(contest: Contest): Promise<Comparison> {
  const { path, rounds = 5, seconds = 4, connections = 32 } = contest;
  const load = (url: string, time: number) =>
    requestsPerSecond({ url, path, connections, seconds: time });
  await load(contest.ceiling, 2);
  await load(contest.ours, 2);
  const found: { ours: number[]; ceiling: number[] } = { ours: [], ceiling: [] };
  for (let round = 0; round < rounds; round++) {
    found.ceiling.push(await load(contest.ceiling, seconds));
    found.ours.push(await load(contest.ours, seconds));
  }
  const ours = median(found.ours);
  const ceiling = median(found.ceiling);
  return { ours, ceiling, ratio: ours / ceiling };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const [upper = 0, lower = 0] = [sorted[middle], sorted[middle - 1]];
  return sorted.length % 2 === 1 ? upper : (upper + lower) / 2;
}
