import {
  type App,
  type JoinTable,
  type Model,
  type Field,
  type ToOne,
  type Enum,
  type OrderKey,
  enumOf,
  valuesOf,
} from '../../model/app.ts';
import { schemaName } from '../../naming/name.ts';
import { spellType } from '../../types/all.ts';
import { type Pair, pairById } from '../pairs.ts';
import {
  type Change,
  type FieldChange,
  type Place,
  type Value,
  placeName,
  type Keys,
} from './change.ts';

/** Everything in which the databases of two apps differ, in the schema's words. Things are paired by their ids. */
export function findChanges(before: App, after: App): readonly Change[] {
  const models = pairById(before.models, after.models);
  const joins = pairById(before.joinTables, after.joinTables);
  return [
    ...models.dropped.map((model): Change => ({
      kind: 'drop_model',
      target: schemaName(model),
      before: model,
    })),
    ...joins.dropped.map((join): Change => ({
      kind: 'drop_links',
      target: linksName(before, join),
      before: join,
    })),
    ...models.kept.flatMap((pair) => modelChanges(pair, { before, after })),
    ...valueChanges(before, after),
    ...models.added.map((model): Change => ({
      kind: 'add_model',
      target: schemaName(model),
      after: model,
    })),
    ...joins.kept
      .filter((pair) => pair.before.table !== pair.after.table)
      .map((pair): Change => ({
        kind: 'rename_links',
        target: linksName(after, pair.after),
        ...pair,
      })),
    ...joins.added.map((join): Change => ({
      kind: 'add_links',
      target: linksName(after, join),
      after: join,
    })),
  ];
}

function modelChanges(pair: Pair<Model>, apps: Pair<App>): readonly Change[] {
  const { before, after } = pair;
  const target = schemaName(after);
  const fields = pairById(before.fields, after.fields);
  const isRenamed = schemaName(before) !== target;
  return [
    ...(isRenamed ? [{ kind: 'rename_model', target, ...pair } as const] : []),
    ...(!isRenamed && before.table !== after.table
      ? [{ kind: 'move_table', target, ...pair } as const]
      : []),
    ...(before.idType !== after.idType ? [{ kind: 'change_id', target, ...pair } as const] : []),
    ...fields.dropped.map((field): Change => ({
      kind: 'drop_field',
      target: placeName({ model: after, field }),
      before: { model: before, field },
    })),
    ...fields.kept.flatMap((kept) => fieldChanges(pair, kept, apps)),
    ...fields.added.map((field): Change => ({
      kind: 'add_field',
      target: placeName({ model: after, field }),
      after: { model: after, field },
    })),
    ...keyChanges(pair),
  ];
}

/** `Post.tags` */
function linksName(app: App, { table, left }: JoinTable): string {
  const model = app.models.find(({ names }) => names.type === left.model);
  const relation = model?.relations.find((it) => it.kind === 'links' && it.table === table);
  return `${model ? schemaName(model) : left.model}.${relation?.name ?? table}`;
}

/** In which ways a field differs that was there before. */
function fieldChanges(
  models: Pair<Model>,
  fields: Pair<Field>,
  apps: Pair<App>,
): readonly Change[] {
  const places = {
    before: { model: models.before, field: fields.before },
    after: { model: models.after, field: fields.after },
  };
  const target = placeName(places.after);
  return kinds
    .filter(([, differs]) => differs(fields, models, apps))
    .map(([kind]) => ({ kind, target, ...places }));
}

type Differs = (fields: Pair<Field>, models: Pair<Model>, apps: Pair<App>) => boolean;

const kinds: readonly (readonly [FieldChange, Differs])[] = [
  ['rename_field', ({ before, after }) => before.name !== after.name],
  [
    'move_column',
    ({ before, after }) => before.name === after.name && before.column !== after.column,
  ],
  ['change_type', (fields, _, apps) => isRetyped(fields, apps)],
  ['change_bounds', (fields, _, apps) => !isRetyped(fields, apps) && isRebound(fields)],
  ['require_field', ({ before, after }) => before.nullable && !after.nullable],
  ['relax_field', ({ before, after }) => !before.nullable && after.nullable],
  ['change_default', isDefaultChanged],
  ['add_key', ({ before, after }) => before.role !== 'key' && after.role === 'key'],
  ['drop_key', ({ before, after }) => before.role === 'key' && after.role !== 'key'],
  ['change_on_delete', isRuleChanged],
];

/** An id changes with its model, and keys change with the id that they hold. */
function isRetyped({ before, after }: Pair<Field>, apps: Pair<App>): boolean {
  if (after.role === 'id' || (before.role === 'key' && after.role === 'key')) return false;
  return typeKey(before, apps.before) !== typeKey(after, apps.after);
}

function typeKey(field: Field, app: App): string {
  const { type } = field;
  if (type.kind === 'enum') return enumOf(field, app)?.id ?? type.enum;
  if (type.kind === 'id') return 'bigint';
  return spellType(type);
}

function isRebound({ before, after }: Pair<Field>): boolean {
  return String(before.min) !== String(after.min) || String(before.max) !== String(after.max);
}

function isDefaultChanged({ before, after }: Pair<Field>, _: Pair<Model>, apps: Pair<App>) {
  const was = literalOf(before);
  const renamed = after.type.kind === 'enum' ? presentValue(before, was, apps) : was;
  return renamed !== literalOf(after);
}

function literalOf(field: Field): string | undefined {
  if (field.default?.kind !== 'literal') return undefined;
  const { value } = field.default;
  // A number is one of them whatever its type: JSON has a `bigint` in quotes.
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What an enum's value is called now: its rename says already that the default goes along. */
function presentValue(field: Field, literal: string | undefined, apps: Pair<App>) {
  const former = valuesOf(field, apps.before);
  const id = former.find(({ value }) => value === literal)?.id;
  const present = apps.after.enums.flatMap(({ values }) => values).find((it) => it.id === id);
  return present === undefined ? literal : present.value;
}

function isRuleChanged({ before, after }: Pair<Field>, models: Pair<Model>): boolean {
  const was = keyRelation(models.before, before);
  const is = keyRelation(models.after, after);
  return was !== undefined && is !== undefined && was.onDelete !== is.onDelete;
}

function keyRelation(model: Model, { relation }: Field): ToOne | undefined {
  return model.relations.find((it): it is ToOne => it.kind === 'one' && it.name === relation);
}

/** Values of the enums that fields of both apps hold. */
function valueChanges(before: App, after: App): readonly Change[] {
  return pairById(before.enums, after.enums).kept.flatMap((enums) => changesOf(enums, before));
}

function changesOf(enums: Pair<Enum>, app: App): readonly Change[] {
  const places = placesOf(enums.before, app);
  if (places.length === 0) return [];
  const values = pairById(enums.before.values, enums.after.values);
  const target = (value: string) => `${enums.after.name}.${value}`;
  const was = (value: string): Value => ({ enum: enums.before, value, places });
  const is = (value: string): Value => ({ enum: enums.after, value, places });
  return [
    ...values.dropped.map(({ value }): Change => ({
      kind: 'drop_value',
      target: target(value),
      before: was(value),
    })),
    ...values.kept
      .filter((pair) => pair.before.value !== pair.after.value)
      .map((pair): Change => ({
        kind: 'rename_value',
        target: target(pair.after.value),
        before: was(pair.before.value),
        after: is(pair.after.value),
      })),
    ...values.added.map(({ value }): Change => ({
      kind: 'add_value',
      target: target(value),
      after: is(value),
    })),
  ];
}

function placesOf({ name }: Enum, { models }: App): readonly Place[] {
  return models.flatMap((model) =>
    model.fields
      .filter(({ type }) => type.kind === 'enum' && type.enum === name)
      .map((field) => ({ model, field })),
  );
}

/** Unique constraints and indexes: the same over the same fields in the same directions. */
function keyChanges(models: Pair<Model>): readonly Change[] {
  const unique = pairById(uniqueKeys(models.before), uniqueKeys(models.after));
  const indexes = pairById(indexKeys(models.before), indexKeys(models.after));
  // What goes with its field, or comes with it, needs no word of its own.
  const stays = isOver(models.after);
  const wasThere = isOver(models.before);
  return [
    ...unique.dropped.filter(stays).map((keys) => dropped('drop_unique', keys)),
    ...indexes.dropped.filter(stays).map((keys) => dropped('drop_index', keys)),
    ...unique.added.map((keys) => added('add_unique', keys)),
    ...indexes.added.filter(wasThere).map((keys) => added('add_index', keys)),
  ];
}

interface IdentifiedKeys extends Keys {
  readonly id: string;
}

/** Whether the model has all the fields of the keys. */
function isOver(model: Model): (keys: IdentifiedKeys) => boolean {
  const ids = new Set(model.fields.map(({ id }) => id));
  return (keys) => keys.fields.every((name) => ids.has(fieldId(keys.model, name)));
}

function uniqueKeys(model: Model): readonly IdentifiedKeys[] {
  return model.unique.map(({ fields }) => ({
    id: fields.map((name) => fieldId(model, name)).join(),
    model,
    fields,
  }));
}

function indexKeys(model: Model): readonly IdentifiedKeys[] {
  const idOf = ({ field, descending }: OrderKey) =>
    `${fieldId(model, field)}${descending ? ' desc' : ''}`;
  return model.indexes.map(({ keys }) => ({
    id: keys.map(idOf).join(),
    model,
    fields: keys.map(({ field }) => field),
  }));
}

function fieldId(model: Model, name: string): string {
  return model.fields.find((field) => field.name === name)?.id ?? name;
}

function added(kind: 'add_unique' | 'add_index', { model, fields }: IdentifiedKeys): Change {
  return { kind, target: keysName({ model, fields }), after: { model, fields } };
}

function dropped(kind: 'drop_unique' | 'drop_index', { model, fields }: IdentifiedKeys): Change {
  return { kind, target: keysName({ model, fields }), before: { model, fields } };
}

/** `Post.slug`, `Post.author_id+slug`; the id that ends every index goes without saying. */
function keysName({ model, fields }: Keys): string {
  return `${schemaName(model)}.${fields.filter((name) => name !== 'id').join('+')}`;
}
