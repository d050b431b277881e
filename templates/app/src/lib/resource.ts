import type { Expression } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { ValueType } from '../database/values.ts';
import type { Policy } from './access.ts';
import type { Complain } from './problem.ts';

export type Id = number | string;

/** A model as lists and the OpenAPI document read it. */
export interface Resource {
  /** `Post` */
  readonly name: string;
  readonly table: keyof Tables;
  readonly id: 'int' | 'uuid';
  /** In the order of the wire. */
  readonly fields: { readonly [name: string]: Field };
  readonly relations: { readonly [name: string]: Relation };
  /** Fields of each unique constraint, by its name. */
  readonly unique: { readonly [constraint: string]: readonly string[] };
  /** Default order: `-published_at`. The id is always appended. */
  readonly orderBy: string;
  readonly softDelete: boolean;
  readonly policy: Policy;
  /** Parameters of the list besides those that every list has. */
  readonly parameters?: { readonly [name: string]: ListParameter };
}

/** A parameter of a list of your own, such as `q`. What it does stands where the rows of the list are selected. */
export interface ListParameter {
  readonly description: string;
  /** What is bound for it; says through `complain` what is wrong. */
  readonly parse: (text: string, complain: Complain) => string | undefined;
}

export interface Field extends ValueType {
  /** When it differs from the name. */
  readonly column?: string;
  /** What is computed where there is no column, of the row of the table by this name. */
  readonly computed?: (table: string) => Expression<unknown>;
  readonly nullable?: true;
  /** Secret: neither answered nor filtered nor ordered by. */
  readonly hidden?: true;
  /** Never taken from a client; of an owner, only from those who may name another one. */
  readonly set?: 'server' | 'owner';
  readonly immutable?: true;
  /** The relation whose key this is. */
  readonly references?: string;
  /** What a new row holds when it is given nothing. */
  readonly default?: 'now' | 'uuid' | { readonly value: unknown };
}
export type Relation = One | Inverse | Links;

/** `key` is a field of this model. */
export interface One {
  readonly kind: 'one';
  readonly to: () => Resource;
  readonly key: string;
  readonly nullable?: true;
}

/** `key` is a field of the target. */
export interface Inverse {
  readonly kind: 'many' | 'single';
  readonly to: () => Resource;
  readonly key: string;
}

/** Many-to-many: `column` holds this model's id, `targetColumn` the target's. */
export interface Links {
  readonly kind: 'links';
  readonly to: () => Resource;
  readonly table: string;
  readonly column: string;
  readonly targetColumn: string;
  /** The model behind `table`, when it has fields of its own. */
  readonly through?: () => Resource;
  /** The field that lists the target's ids: `tag_ids`. */
  readonly ids?: string;
}

/** A field that the resource itself names; use `Object.hasOwn` for what a client names. */
export function fieldOf(resource: Resource, name: string): Field {
  const field = resource.fields[name];
  if (field === undefined) throw new Error(`${resource.name} has no field ${name}`);
  return field;
}
