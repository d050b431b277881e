import type { App, Enum, Field, ToOneRelation } from '../../model/app.ts';
import { findEnum, findToOne, listEnumValues } from '../../model/lookups.ts';
import { spellType } from '../../types/all.ts';
import type { Pair } from '../pairs.ts';
import {
  type Difference,
  type FieldChange,
  renamedTo,
  type NamedPair,
  type ModelField,
} from './change.ts';

export const fieldDifferences: readonly Difference<FieldChange, ModelField>[] = [
  ['rename_field', isFieldRenamed, renamedTo],
  [
    'move_column',
    (it) => !isFieldRenamed(it) && it.before.field.column !== it.after.field.column,
    ({ target, after }) => `The column of ${target} is now called ${after.field.column}.`,
  ],
  ['change_type', isRetyped, becomes(spellStored)],
  ['change_bounds', isRebound, becomes(boundedType)],
  ['require_field', nowIs(({ nullable }) => !nullable), (it) => `${it.target} is required.`],
  ['relax_field', nowIs(({ nullable }) => nullable), (it) => `${it.target} is optional.`],
  ['change_default', isDefaultChanged, (it) => `${it.target} has another default.`],
  ['add_key', nowIs(isKey), (it) => `${it.target} refers to rows of another table.`],
  [
    'drop_key',
    nowIs((field) => !isKey(field)),
    (it) => `${it.target} no longer refers to another table.`,
  ],
  [
    'change_on_delete',
    (pair) => isRuleChanged(pair, ({ onDelete }) => onDelete),
    (it) => `${it.target} now reacts differently when its target is deleted.`,
  ],
  [
    'change_on_update',
    (pair) => isRuleChanged(pair, ({ onUpdate }) => onUpdate ?? 'restrict'),
    (it) => `${it.target} now reacts differently when the id of its target changes.`,
  ],
];

function nowIs(holds: (field: Field) => boolean) {
  return ({ before, after }: Pair<ModelField>) => !holds(before.field) && holds(after.field);
}

function becomes(spell: (field: Field, app: App) => string) {
  return ({ target, before, after }: NamedPair<ModelField>, apps: Pair<App>) =>
    `${target} was ${spell(before.field, apps.before)} and becomes ${spell(after.field, apps.after)}.`;
}

function isKey({ role }: Field): boolean {
  return role === 'key';
}

/** A key has the name of its relation. */
function isFieldRenamed({ before, after }: Pair<ModelField>): boolean {
  const [was, is] = [before.field, after.field];
  return isKey(was) && isKey(is) ? was.relation !== is.relation : was.name !== is.name;
}

/** Ids and keys change their type with the id type of their model. */
function isRetyped({ before, after }: Pair<ModelField>, apps: Pair<App>): boolean {
  if (isKey(before.field) && isKey(after.field)) return false;
  if (after.field.role === 'id' && !isOneKind(before.field, after.field)) return false;
  return typeKey(before.field, apps.before) !== typeKey(after.field, apps.after);
}

const isOneKind = (was: Field, is: Field) => was.type.kind === is.type.kind;

function typeKey(field: Field, app: App): string {
  const { type, stored } = field;
  if (type.kind === 'enum') {
    const of = findEnum(field, app);
    return `${of?.id ?? type.enum}${isType(of) ? ', a type' : ''}`;
  }
  return type.kind === 'id' ? (stored ?? 'bigint') : spellStored(field, app);
}

function spellStored(field: Field, app: App): string {
  const { type, stored } = field;
  if (type.kind === 'id') return `a number of ${stored === undefined ? 64 : 32} bits`;
  if (isType(findEnum(field, app))) return `${spellType(type)}, kept as a type`;
  if (stored === undefined || stored === 'int') return spellType(type);
  const how = stored === 'default' ? 'in the order of the database' : `kept as a ${stored}`;
  return `${spellType(type)}, ${how}`;
}

const isType = (of: Enum | undefined) => of?.type !== undefined;

function isRebound(pair: Pair<ModelField>, apps: Pair<App>): boolean {
  const fields = [pair.before.field, pair.after.field];
  const [was, is] = fields.map(({ min, max }) => `${min}..${max}`);
  const { before, after } = pair;
  return was !== is && typeKey(before.field, apps.before) === typeKey(after.field, apps.after);
}

/** `string(3..160)` */
function boundedType({ type, min, max }: Field): string {
  const isBounded = min !== undefined || max !== undefined;
  return isBounded ? `${spellType(type)}(${min ?? ''}..${max ?? ''})` : spellType(type);
}

/** A renamed enum value is a change of its own, so a default that follows it is not. */
function isDefaultChanged({ before, after }: Pair<ModelField>, apps: Pair<App>): boolean {
  const was = defaultText(before.field);
  const id = listEnumValues(before.field, apps.before).find(({ value }) => value === was)?.id;
  const values = apps.after.enums.flatMap((it) => it.values);
  const present = values.find((it) => it.id === id)?.value;
  const isEnum = after.field.type.kind === 'enum';
  return (isEnum ? (present ?? was) : was) !== defaultText(after.field);
}

function defaultText(field: Field): string | undefined {
  if (field.default?.kind !== 'literal') return undefined;
  const { value } = field.default;
  // Numbers of any type are printed the same, though JSON quotes a `bigint`.
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isRuleChanged(
  { before, after }: Pair<ModelField>,
  ruleOf: (relation: ToOneRelation) => string,
): boolean {
  const was = findToOne(before.model, before.field.relation);
  const is = findToOne(after.model, after.field.relation);
  return was !== undefined && is !== undefined && ruleOf(was) !== ruleOf(is);
}
