import { isDeep } from '../../support/trials.ts';

/** Does the work for every point, two at a time: it waits for programs. */
export async function everyPoint(
  points: readonly number[],
  work: (point: number) => Promise<void>,
): Promise<void> {
  const left = [...points];
  const worker = async (): Promise<void> => {
    for (let point = left.shift(); point !== undefined; point = left.shift()) await work(point);
  };
  await Promise.all([worker(), worker()]);
}

/** So many of the steps from 1 to the last, the two ends among them; all of them in a deep run. */
export function spread(last: number, count: number): readonly number[] {
  const every = Array.from({ length: last }, (_, index) => index + 1);
  if (isDeep || count >= last) return every;
  const gap = (last - 1) / (count - 1);
  return [...new Set(Array.from({ length: count }, (_, index) => 1 + Math.round(index * gap)))];
}
