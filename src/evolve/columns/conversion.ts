import type { FieldType } from '../../model/app.ts';
import type { Kind } from '../../model/field-types.ts';
import type { Pair } from '../pairs.ts';

/** How values of one type become values of another; each function takes the SQL of the old value. */
export interface Conversion {
  readonly value: Sql;
  /** Holds for a value that cannot become one of the new type. Where it does not hold, `value` is safe to evaluate. */
  readonly fails?: Sql;
  /** Holds for a value of which something is lost. */
  readonly loses?: Sql;
}

export type Sql = (value: string) => string;

/** By what goes in and what comes out: `text>integer`. Absent: nothing sensible can be made of the values. */
export type Conversions = Readonly<
  Partial<Record<`${Family}>${Family}`, (types: Pair<FieldType>) => Conversion>>
>;

/** Types whose values are the same in the database. */
type Family =
  Exclude<Kind, 'string' | 'email' | 'url' | 'enum' | 'int' | 'bigint' | 'id'> | 'integer';

export const unchanged: Conversion = { value: (value) => value };

export function conversionOf(
  types: Pair<FieldType>,
  conversions: Conversions,
): Conversion | undefined {
  const [from, to] = [familyOf(types.before), familyOf(types.after)];
  if (from === to && scaleOf(types.before) === scaleOf(types.after)) return unchanged;
  return conversions[`${from}>${to}`]?.(types);
}

function familyOf({ kind }: FieldType): Family {
  switch (kind) {
    case 'string':
    case 'email':
    case 'url':
    case 'enum':
      return 'text';
    case 'int':
    case 'bigint':
    case 'id':
      return 'integer';
    default:
      return kind;
  }
}

export function scaleOf(type: FieldType): number {
  return type.kind === 'decimal' ? type.scale : 0;
}
