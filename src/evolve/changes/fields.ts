import type { App, Field, Model, ToOne } from '../../model/app.ts';
import { spellType } from '../../types/all.ts';
import { enumOf, valuesOf } from '../../model/values.ts';
import type { Change, FieldChange } from './change.ts';
import type { Pair } from '../pairs.ts';
import { placeName } from './place-name.ts';

/** In which ways a field differs that was there before. */
export function fieldChanges(
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
