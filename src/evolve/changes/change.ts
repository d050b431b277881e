import type { App, Enum, Field, JoinTable, Model } from '../../model/app.ts';
import type { Pair } from '../pairs.ts';
import type { Table } from '../tables/table.ts';

/** A difference between two versions of a schema. */
export type Change =
  | Added<'add_model', Model>
  | Dropped<'drop_model', Model>
  | Changed<ModelChange, Model>
  | Added<'add_links', NamedLinks>
  | Dropped<'drop_links', JoinTable>
  | Changed<'rename_links', JoinTable>
  | KeyLinked
  | Added<'add_field', ModelField>
  | Dropped<'drop_field', ModelField>
  | Changed<FieldChange, ModelField>
  | Added<'add_unique' | 'add_index' | 'add_check', FieldGroup>
  | Dropped<'drop_unique' | 'drop_index' | 'drop_check', FieldGroup>
  | Added<'add_value', Value>
  | Dropped<'drop_value', Value>
  | Changed<'rename_value', Value>;

export type ModelChange = 'rename_model' | 'move_table' | 'change_id';
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
  | 'change_on_delete'
  | 'change_on_update';

interface ChangeBase<Kind> {
  readonly kind: Kind;
  /** Its name in the schema: `Post.title`. */
  readonly target: string;
  /** For the comments of a migration and for the plan. */
  readonly sentence: string;
}

export interface Added<Kind, Thing> extends ChangeBase<Kind> {
  readonly after: Thing;
}

export interface Dropped<Kind, Thing> extends ChangeBase<Kind> {
  readonly before: Thing;
}

export interface Changed<Kind, Thing> extends ChangeBase<Kind>, Pair<Thing> {
  /** Its former name in the schema. */
  readonly former: string;
}

/** A to-one relation becomes a many-to-many relation. */
export interface KeyLinked extends Added<'link_key', JoinTable> {
  readonly before: ModelField;
}

export interface NamedLinks extends JoinTable {
  readonly relation: string;
}

export interface ModelField {
  readonly model: Model;
  readonly field: Field;
}

export interface FieldGroup {
  readonly id: string;
  readonly kind: 'unique' | 'index' | 'check';
  readonly model: Model;
  readonly fields: readonly string[];
}

export interface Value {
  readonly id: string;
  readonly enum: Enum;
  readonly value: string;
  readonly fields: readonly ModelField[];
}

export function added<const Kind, T>(kind: Kind, target: string, after: T, what = 'is new') {
  return { kind, target, sentence: `${target} ${what}.`, after };
}

export function dropped<const Kind, T>(kind: Kind, target: string, before: T, what?: string) {
  return { kind, target, sentence: `${target} ${what ?? 'is dropped'}.`, before };
}

/** A kind of difference that a kept thing may have, and the sentence about it. */
export type Difference<Kind, Thing> = readonly [
  kind: Kind,
  differs: (things: Pair<Thing>, apps: Pair<App>) => boolean,
  say: (named: NamedPair<Thing>, apps: Pair<App>) => string,
];

export type NamedPair<Thing> = Pair<Thing> & Pick<Changed<unknown, Thing>, 'target' | 'former'>;

export function compareThings<Kind, Thing>(
  things: Pair<Thing>,
  nameOf: (thing: Thing, app: App) => string,
  differences: readonly Difference<Kind, Thing>[],
  apps: Pair<App>,
): readonly Changed<Kind, Thing>[] {
  const former = nameOf(things.before, apps.before);
  const named = { target: nameOf(things.after, apps.after), former, ...things };
  return differences
    .filter(([, differs]) => differs(things, apps))
    .map(([kind, , say]) => ({ kind, ...named, sentence: say(named, apps) }));
}

export function renamedTo({ target, former }: NamedPair<unknown>): string {
  return `${former} is now called ${target}.`;
}

/** `Post.title`. A key has the name of its relation: `Post.author`. */
export function fieldPath({ model, field }: ModelField): string {
  return `${model.name}.${field.relation ?? field.name}`;
}

/** `Post.slug`, `Post.author_id+slug`. Leaves out the id that ends every index. */
export function groupName({ model, fields }: FieldGroup): string {
  return `${model.name}.${fields.filter((name) => name !== 'id').join('+')}`;
}

export const valueName = (it: Value) => `${it.enum.name}.${it.value}`;

/** The name of a table in messages: that of its model, or its own if it has none. */
export function tablePath({ id, name }: Pick<Table, 'id' | 'name'>, { models }: App): string {
  return models.find((it) => it.id === id)?.name ?? name;
}
