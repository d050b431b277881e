import type { App, Field, Json } from './app.ts';
import { formatScaled, scaleDecimal } from './decimal.ts';
import { valuesOf } from './enum-of.ts';
import { fieldTypes } from './field-types.ts';
import { fits, patternParts, texts } from './pattern-parts.ts';

/** A legal value of the field as it travels: the schema's own example where it gives one. */
export function sampleValue(field: Field, app: App): Json {
  const { type, example, min, max } = field;
  if (example !== undefined) return example;
  if (type.kind === 'enum') {
    return valuesOf(field, app)[0]?.value ?? null;
  }
  const { sample, range, bounds } = fieldTypes[type.kind];
  if (range === 'characters') return sampleText(field, String(sample));
  if (range === 'bytes') return sampleBytes(field, String(sample));
  if (bounds === 'exact') return sampleExact(field);
  if (range !== 'value' || typeof sample !== 'number') return sample;
  return Math.max(Number(min ?? -Infinity), Math.min(Number(max ?? Infinity), sample));
}

/** The sample of the type, cut or repeated to the length; where there is a pattern, what it matches. */
function sampleText({ type, pattern, ...field }: Field, sample: string): string {
  const lengths = lengthsOf(field);
  if (pattern !== undefined) return matchingText(pattern, lengths) ?? sample;
  const { min = 0, max = Infinity } = lengths;
  if (type.kind === 'email') return sample.padStart(min, 'a').slice(-max);
  if (type.kind === 'url' && max < sample.length) return 'http://a.b'.slice(0, max);
  return sample.padEnd(min, 'x').slice(0, max);
}

function matchingText(pattern: string, lengths: Lengths): string | undefined {
  const parts = patternParts(pattern, lengths) ?? [];
  return texts(parts, 100).find(fits(pattern, lengths));
}

function sampleBytes(field: Pick<Field, 'min' | 'max'>, sample: string): string {
  const { min = 0, max = Infinity } = lengthsOf(field);
  if (min <= 5 && max >= 5) return sample;
  return Buffer.alloc(Math.min(max, Math.max(min, 5))).toString('base64');
}

function sampleExact({ type, min, max }: Field): string {
  const scale = type.kind === 'decimal' ? type.scale : 0;
  const limit = type.kind === 'decimal' ? 10n ** BigInt(type.precision) - 1n : 2n ** 63n - 1n;
  const scaled = (value: Json = null) => scaleDecimal(String(value), scale);
  const least = scaled(min) ?? -limit;
  const most = scaled(max) ?? limit;
  const sample = scaled(fieldTypes[type.kind].sample) ?? 0n;
  const atLeast = sample < least ? least : sample;
  return formatScaled(atLeast > most ? most : atLeast, scale);
}

interface Lengths {
  readonly min?: number;
  readonly max?: number;
}

function lengthsOf({ min, max }: Pick<Field, 'min' | 'max'>): Lengths {
  return {
    ...(typeof min === 'number' && { min }),
    ...(typeof max === 'number' && { max }),
  };
}
