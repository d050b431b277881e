import type { Comparison, Figures } from './compare.ts';

export interface Row {
  readonly name: string;
  readonly found: string;
  readonly bar?: string;
  readonly ok?: boolean;
}

/** One line a figure; a figure below its bar fails the run. */
export function report({ name, found, bar = '', ok = true }: Row): void {
  const mark = ok ? ' ' : '✗';
  process.stdout.write(`${mark} ${name.padEnd(44)} ${found.padEnd(32)} ${bar}\n`);
  if (!ok) process.exitCode = 1;
}

export function sayFigures(found: Comparison): void {
  report({ name: '', found: of(found, ({ perSecond }) => perSecond, 'requests/s') });
  report({ name: '', found: of(found, ({ cpu }) => cpu, 'µs of processor time') });
}

function of(found: Comparison, figure: (side: Figures) => number, unit: string): string {
  return `${Math.round(figure(found.ours))} of ${Math.round(figure(found.ceiling))} ${unit}`;
}
