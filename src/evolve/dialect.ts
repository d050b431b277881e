import type { Engine, Field, FieldType } from '../model/app.ts';
import { fieldTypes } from '../types/all.ts';
import type { Storage } from '../types/field-type.ts';

/** Everything in which the SQL of two engines differs, but for how they keep the values of a type. */
export interface Dialect {
  readonly engine: Engine;
  readonly title: string;
  /** Type and constraint of an id that the database counts up and never gives out twice. */
  readonly generatedId: string;
  /** What follows the columns of a table. */
  readonly tableOptions: string;
  readonly length: Readonly<Record<'characters' | 'bytes', string>>;
  /** Whether a foreign key may name a table that is made later. */
  readonly forwardReferences: boolean;
  /** What makes a foreign key wait for the cascades of a delete. */
  readonly deferred: string;
  /** The bounds that a check has to hold, because the column's type does not. */
  readonly bounds: (field: ColumnFacts) => Bounds;
  /** What an old id of a table has become, while its ids become others. */
  readonly newId: (table: string, old: string) => string;
}

/** How the engine keeps values of a type. */
export function storageOf({ kind }: FieldType, { engine }: Dialect): Storage {
  return fieldTypes[kind][engine];
}

export type ColumnFacts = Pick<Field, 'type' | 'min' | 'max'>;
export type Bounds = Pick<Field, 'min' | 'max'>;
