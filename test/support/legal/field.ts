import * as fc from 'fast-check';
import { type Kind, kinds } from './kinds.ts';

type Flag = 'unique' | 'index' | 'readonly' | 'immutable' | 'hidden';

/** A field as the arbitrary thinks of it; `schema-text.ts` writes it in the short or the long form. */
export interface LegalField {
  readonly type: string;
  readonly min?: string;
  readonly max?: string;
  readonly optional?: true;
  readonly default?: Kind['values'][number];
  readonly flags: readonly Flag[];
  readonly pattern?: string;
  readonly description?: string;
  readonly example?: Kind['values'][number];
  readonly backfill?: Kind['values'][number];
  readonly column?: string;
  readonly was?: string;
}

export interface DrawnField {
  readonly field: LegalField;
  /** Has enough values for a unique column of users. */
  readonly isMany: boolean;
  readonly isOrderable: boolean;
}

const flagSets: readonly (readonly Flag[])[] = [
  [],
  [],
  [],
  ['unique'],
  ['index'],
  ['readonly'],
  ['immutable'],
  ['hidden'],
  ['unique', 'index'],
  ['unique', 'readonly'],
  ['unique', 'immutable'],
  ['unique', 'hidden'],
  ['index', 'hidden'],
  ['readonly', 'hidden'],
  ['immutable', 'hidden'],
];

/** Any legal field of these enums. */
export function legalField(
  enums: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<DrawnField> {
  const enumKinds = Object.entries(enums).map(([type, values]): Kind => ({
    type,
    values,
    orderable: true,
  }));
  return fc
    .record({
      kind: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...kinds) },
        ...enumKinds.map((it) => fc.constant(it)),
      ),
      optional: fc.boolean(),
      pick: fc.nat(),
      valueIs: fc.constantFrom('absent', 'absent', 'default', 'example', 'backfill', 'word'),
      flags: fc.constantFrom(...flagSets),
    })
    .map(({ kind, optional, pick, valueIs, flags }): DrawnField => {
      const { type, min, max, pattern, values, words, unique, many, orderable } = kind;
      const value = valueIs === 'word' ? words?.[0] : values[pick % values.length];
      const key = valueIs === 'word' ? 'default' : valueIs;
      const isMade = valueIs === 'word' && value !== undefined;
      const hasDefault = key === 'default' && value !== undefined;
      const fits: Readonly<Record<Flag, boolean>> = {
        unique: unique === true && (!hasDefault || isMade),
        index: orderable === true,
        // What only the server sets must have a value without being given one.
        readonly: optional || hasDefault,
        immutable: true,
        hidden: true,
      };
      const field = {
        type,
        ...(min !== undefined && { min }),
        ...(max !== undefined && { max }),
        ...(pattern !== undefined && { pattern }),
        ...(optional && { optional }),
        ...(key !== 'absent' && value !== undefined && { [key]: value }),
        flags: flags.filter((flag) => fits[flag]),
      };
      return { field, isMany: many === true, isOrderable: orderable === true };
    });
}
