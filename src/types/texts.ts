import { present } from '../present.ts';
import { matchesPattern } from '../patterns/flaw.ts';
import { type Lengths, matchingTexts } from '../patterns/samples.ts';
import type { Engine, ValueFlaw, Storage, TypedField, Json } from './field-type.ts';
import { charactersIn, findLengthFlawOf, shown, wrongType } from './value-flaw.ts';
import { textLiteral, textSql } from './sql.ts';

/** Common to all types of texts with a length. */
export const textDefinition = {
  range: 'characters',
  unique: true,
  ordered: 'bytes',
  typescript: 'string',
  family: 'text',
  wrong: 7,
} as const;

/** Order and equality are binary, as on SQLite, unless another program made the column. */
export function collated(type: string, { stored }: Pick<TypedField, 'stored'>): string {
  return stored === undefined ? `${type} COLLATE "C"` : type;
}

export const textStorage = {
  sqlite: { column: () => 'text', literal: textLiteral },
  postgres: {
    column: (field) => collated('text', field),
    literal: textLiteral,
  },
} satisfies Readonly<Record<Engine, Storage>>;

/** The line ends of a file are read as `\n`, those of a value stay what they are. */
export const proseStorage = {
  sqlite: {
    ...textStorage.sqlite,
    literal: (value) => {
      const parts = String(value).split('\r').map(textSql);
      return parts.length === 1 ? parts.join() : `(${parts.join(' || char(13) || ')})`;
    },
    isExpression: (value) => String(value).includes('\r'),
  },
  postgres: {
    ...textStorage.postgres,
    literal: (value) => {
      const literal = textLiteral(value);
      if (!literal.includes('\r')) return literal;
      return `E${literal.replaceAll('\\', '\\\\').replaceAll('\r', '\\r')}`;
    },
  },
} satisfies Readonly<Record<Engine, Storage>>;

export function findTextFlaw(value: Json, field: TypedField): ValueFlaw | undefined {
  if (typeof value !== 'string') return wrongType(value, 'a string');
  const tooLong = findLengthFlawOf(charactersIn(value), field, 'characters');
  if (tooLong !== undefined || field.pattern === undefined) return tooLong;
  if (matchesPattern(field.pattern, value)) return undefined;
  return { kind: 'value', reason: `${shown(value)} does not match ${shown(field.pattern)}` };
}

/** The text cut or repeated to the length; where there is a pattern, what it matches. */
export function sampleText(field: TypedField, sample: string): string {
  const lengths = pickLengths(field);
  const { min = 0, max = Infinity } = lengths;
  if (field.pattern === undefined) return sample.padEnd(min, 'x').slice(0, max);
  return matchingTexts(field.pattern, lengths)[0] ?? sample;
}

export function pickLengths({ min, max }: Pick<TypedField, 'min' | 'max'>): Lengths {
  const [least, most] = [min, max].map((it) => (typeof it === 'number' ? it : undefined));
  return present({ min: least, max: most });
}
