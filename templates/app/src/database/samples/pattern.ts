import type { Draw } from './draw.ts';
import type { Lengths } from './texts.ts';

/** How to write a text that matches: parts in sequence, characters and alternatives repeated. */
export type Part =
  | string
  | { readonly of: string; readonly times: readonly [number, number] }
  | { readonly any: readonly (readonly Part[])[]; readonly times: readonly [number, number] };

interface Pattern extends Lengths {
  readonly pattern: RegExp;
  /** Tried first: it reads better. */
  readonly like?: (draw: Draw, lengths: Lengths) => string;
  readonly parts: readonly Part[];
}

const attempts = 500;

export function matching(draw: Draw, { pattern, like, parts, ...lengths }: Pattern): string {
  const { min = 0, max = Infinity } = lengths;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const text = attempt < 3 && like ? like(draw, lengths) : write(draw, parts);
    const length = [...text].length;
    if (length >= min && length <= max && pattern.test(text)) return text;
  }
  throw new RangeError(`No text was found that matches ${pattern}.`);
}

function write(draw: Draw, parts: readonly Part[]): string {
  return parts.map((part) => writePart(draw, part)).join('');
}

function writePart(draw: Draw, part: Part): string {
  if (typeof part === 'string') return part;
  const repeat = () => ('of' in part ? draw.pick([...part.of]) : write(draw, draw.pick(part.any)));
  return Array.from({ length: draw.integer(...part.times) }, repeat).join('');
}
