import type { Enum, Field, JoinTable, Model, App } from '../../model/app.ts';
import { schemaName } from '../../naming/name.ts';
import type { Pair } from '../pairs.ts';
import type { Table } from '../tables/table.ts';

/** One thing that differs between two versions of a schema. */
export type Change =
  | Added<'add_model', Model>
  | Dropped<'drop_model', Model>
  | Changed<'rename_model' | 'move_table' | 'change_id', Model>
  | Added<'add_links', JoinTable>
  | Dropped<'drop_links', JoinTable>
  | Changed<'rename_links', JoinTable>
  | Added<'add_field', Place>
  | Dropped<'drop_field', Place>
  | Changed<FieldChange, Place>
  | Added<'add_unique' | 'add_index', Keys>
  | Dropped<'drop_unique' | 'drop_index', Keys>
  | Added<'add_value', Value>
  | Dropped<'drop_value', Value>
  | Changed<'rename_value', Value>;

export type FieldChange =
  | 'rename_field'
  | 'move_column'
  | 'change_type'
  | 'change_bounds'
  | 'require_field'
  | 'relax_field'
  | 'change_default'
  | 'add_key'
  | 'drop_key'
  | 'change_on_delete';

interface Difference<Kind> {
  readonly kind: Kind;
  /** The schema's word for the thing: `Post.title`. */
  readonly target: string;
  /** For the comments of a migration, and for the plan. */
  readonly sentence: string;
}

export interface Added<Kind, Thing> extends Difference<Kind> {
  readonly after: Thing;
}

export interface Dropped<Kind, Thing> extends Difference<Kind> {
  readonly before: Thing;
}

export interface Changed<Kind, Thing> extends Difference<Kind>, Pair<Thing> {
  /** What the schema's word for it was. */
  readonly former: string;
}

export interface Place {
  readonly model: Model;
  readonly field: Field;
}

export interface Keys {
  readonly id: string;
  readonly kind: 'unique' | 'index';
  readonly model: Model;
  readonly fields: readonly string[];
}

export interface Value {
  readonly id: string;
  readonly enum: Enum;
  readonly value: string;
  readonly places: readonly Place[];
}

/** `Post.title`; the key of a relation goes by the relation's name: `Post.author`. */
export function placeName({ model, field }: Place): string {
  return `${schemaName(model)}.${field.relation ?? field.name}`;
}

/** What the schema calls the things in a table: by their model; the tables of links and the server's own by themselves. */
export function tablePlace({ id, name }: Pick<Table, 'id' | 'name'>, { models }: App): string {
  const model = models.find((it) => it.id === id);
  return model === undefined ? name : schemaName(model);
}
