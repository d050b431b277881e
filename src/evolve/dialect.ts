import type { Field, Json } from '../model/app.ts';
import type { Kind } from '../model/field-types.ts';
import type { Conversions } from './columns/conversion.ts';

/** Everything in which the SQL of two engines differs. */
export interface Dialect {
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
  readonly columnType: (field: ColumnFacts) => string;
  /** The bounds that a check has to hold, because the column's type does not. */
  readonly bounds: (field: ColumnFacts) => Bounds;
  /** What a column's text must look like where the type does not see to it. */
  readonly shapes: Readonly<Partial<Record<Kind, (column: string) => string>>>;
  /** What a reader of the table would not guess. */
  readonly notes: Readonly<Partial<Record<Kind, (field: ColumnFacts) => string | undefined>>>;
  readonly literals: Readonly<Record<Kind, (value: Json) => string>>;
  readonly conversions: Conversions;
  /** What an old id of a table has become, while its ids become others. */
  readonly newId: (table: string, old: string) => string;
  /** What `now` and `uuid` are to rows that exist already; a date and a time are parts of now. */
  readonly generated: Readonly<Record<'date' | 'time' | 'datetime' | 'uuid', string>>;
}

export type ColumnFacts = Pick<Field, 'type' | 'min' | 'max'>;
export type Bounds = Pick<Field, 'min' | 'max'>;
