import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../../../project/read-project.ts';
import type { Texts } from '../../../system/mirror.ts';
import type { Plan } from '../../../project/plan.ts';

interface Place {
  readonly line: number;
  readonly column: number;
}

/** The place in a text that a compiler names by line and column, both from 1; the mark at the start is no column. */
export function offsetOf(text: string, { line, column }: Place): number {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let number = 1; number < line; number += 1) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}

/** A file as it would be; empty when there is none. */
export function textAt({ folder }: Project, texts: Texts, path: string): string {
  if (texts.has(path)) return texts.get(path) ?? '';
  try {
    return readFileSync(join(folder, path), 'utf8');
  } catch {
    return '';
  }
}

/** What the plan leaves of each file that it touches; undefined: no file. */
export function plannedTexts({ changes }: Plan): Texts {
  const left = changes.flatMap(({ from }) => (from === undefined ? [] : [from]));
  const written = changes.filter(
    ({ before, after }) => before !== undefined || after !== undefined,
  );
  return new Map([
    ...left.map((path) => [path, undefined] as const),
    ...written.map(({ path, after }) => [path, after] as const),
  ]);
}
