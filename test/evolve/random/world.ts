import { stringify } from 'yaml';

/** The test's own idea of a schema and of the rows in its tables: it knows nothing of the code that it tests. */
export interface World {
  /** Whether it is stored as another program made it: enums as types and 32-bit ids, where the engine has them. */
  readonly isFound: boolean;
  readonly enums: readonly WorldEnum[];
  readonly models: readonly WorldModel[];
}

export interface WorldEnum {
  readonly id: number;
  readonly name: string;
  readonly values: readonly {
    readonly id: number;
    readonly value: string;
    readonly was?: string;
  }[];
}

export const idTypes = ['int', 'uuid', 'text'] as const;

export interface WorldModel {
  readonly id: number;
  readonly name: string;
  readonly was?: string;
  readonly table?: string;
  readonly idType: (typeof idTypes)[number];
  /** Only when it is not called `id`. */
  readonly idColumn?: string;
  readonly softDelete: boolean;
  readonly timestamps: boolean;
  readonly fields: readonly WorldField[];
  readonly relations: readonly WorldRelation[];
  readonly indexes: readonly WorldIndex[];
  /** Over two or more keys, or among some rows; with fewer keys left there is no rule. */
  readonly uniques: readonly WorldIndex[];
  /** Between two fields of the same kind; while their kinds differ, there is no check. */
  readonly checks: readonly WorldCheck[];
}

interface WorldCheck {
  readonly id: number;
  readonly left: number;
  readonly operator: '<=' | '<';
  readonly right: number;
}

export interface WorldIndex {
  readonly id: number;
  /** Fields and relations; 0 is the id of the rows. Those that are gone are left out of the schema. */
  readonly keys: readonly { readonly id: number; readonly descending: boolean }[];
  /** Only rows that have a value in this field, or have none; all rows while the field is gone or required. */
  readonly where?: { readonly id: number; readonly isNull: boolean };
}

export type WorldType =
  | { readonly kind: Plain }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'enum'; readonly of: number };

type Plain =
  | ('string' | 'text' | 'email' | 'url')
  | ('int' | 'bigint' | 'float' | 'bool')
  | ('date' | 'time' | 'datetime')
  | ('uuid' | 'json' | 'bytes')
  | ('string[]' | 'int[]');

export interface WorldField {
  readonly id: number;
  readonly name: string;
  readonly was?: string;
  readonly type: WorldType;
  readonly optional: boolean;
  /** Only when it is not called after the field. */
  readonly column?: string;
  readonly min?: number;
  readonly max?: number;
  readonly default?: Value;
  readonly backfill?: Value;
  readonly unique: boolean;
  readonly index: boolean;
}

/** As the API sends it; the value of an enum is given by its id. */
export type Value = string | number | boolean | readonly (string | number)[];

export interface WorldRelation {
  readonly id: number;
  readonly name: string;
  readonly was?: string;
  readonly to: number;
  readonly many: boolean;
  readonly optional: boolean;
  readonly unique?: true;
  readonly onDelete?: 'cascade' | 'set_null';
  readonly onUpdate?: 'cascade';
}

/** Kept, as messages contain it for every row. */
const texts = new WeakMap<World, string>();

export function schemaText(world: World): string {
  const text = texts.get(world) ?? printWorld(world);
  texts.set(world, text);
  return text;
}

function printWorld(world: World): string {
  const models = world.models.map((model): [string, unknown] => [
    model.name,
    modelDocument(model, world),
  ]);
  const enums = world.enums.map(({ name, values }): [string, unknown] => [
    name,
    values.map(({ value, was }) => (was === undefined ? value : { value, was })),
  ]);
  return stringify({
    ...(world.isFound ? { storage: { enums: 'type', keys: 'int' } } : {}),
    ...(enums.length > 0 ? { enums: Object.fromEntries(enums) } : {}),
    models: Object.fromEntries(models),
  });
}

function modelDocument(model: WorldModel, world: World): unknown {
  const isUser = model.name === 'User';
  const fields = model.fields.map((field): [string, unknown] => [
    field.name,
    fieldDocument(field, world),
  ]);
  const relations = model.relations.map((it): [string, unknown] => [
    it.name,
    {
      to: nameOf(world.models, it.to),
      ...given({ was: it.was, many: it.many || undefined }),
      ...given({ on_delete: it.onDelete, on_update: it.onUpdate }),
      ...given({ optional: it.optional || undefined, unique: it.unique }),
    },
  ]);
  return {
    ...given({ was: model.was, table: model.table }),
    ...(isUser ? {} : { id: idDocument(model), timestamps: model.timestamps }),
    ...given({ soft_delete: model.softDelete || undefined }),
    fields: { mark: 'int', ...Object.fromEntries(fields) },
    relations: Object.fromEntries(relations),
    ...indexDocuments(model),
  };
}

const idDocument = ({ idType: type, idColumn: column }: WorldModel) =>
  column === undefined ? type : { type, column };

function indexDocuments(model: WorldModel): Readonly<Record<string, unknown>> {
  const indexes = model.indexes
    .map((index) => ({
      names: keysOf(index, model).map(({ name, descending }) => `${descending ? '-' : ''}${name}`),
      where: conditionOf(index, model),
    }))
    .filter(({ names }) => names.length > 0);
  const uniques = uniquesOf(model).map(({ keys, where }) => ({
    names: keys.map(({ name }) => name),
    where,
  }));
  const checks = checksOf(model).map(
    ({ left, operator, right }) => `${left.name} ${operator} ${right.name}`,
  );
  return given({
    indexes: indexes.length > 0 ? indexes.map(groupDocument) : undefined,
    unique: uniques.length > 0 ? uniques.map(groupDocument) : undefined,
    checks: checks.length > 0 ? checks : undefined,
  });
}

interface Group {
  readonly names: readonly string[];
  readonly where: Condition | undefined;
}

function groupDocument({ names, where }: Group): unknown {
  if (where === undefined) return names;
  return { fields: names, where: `${where.field.name} is ${where.isNull ? '' : 'not '}null` };
}

interface Condition {
  readonly field: WorldField;
  readonly isNull: boolean;
}

function conditionOf({ where }: WorldIndex, { fields }: WorldModel): Condition | undefined {
  const field = fields.find(({ id, optional }) => id === where?.id && optional);
  return where && field && { field, isNull: where.isNull };
}

export function uniquesOf(model: WorldModel) {
  return model.uniques
    .map((unique) => ({ keys: keysOf(unique, model), where: conditionOf(unique, model) }))
    .filter(({ keys, where }) => keys.length > (where === undefined ? 1 : 0));
}

/** The kinds that the test knows how to order. */
const ordered: ReadonlySet<string> = new Set(['int', 'bigint', 'date']);

export function checksOf({ checks, fields }: WorldModel) {
  return checks.flatMap((check) => {
    const [left, right] = [check.left, check.right].map((id) => fields.find((it) => it.id === id));
    const isCheck = left && right && left !== right && left.type.kind === right.type.kind;
    return isCheck && ordered.has(left.type.kind) ? [{ ...check, left, right }] : [];
  });
}

/** Its keys that still exist. */
function keysOf({ keys }: WorldIndex, { fields, relations }: WorldModel) {
  const members = [{ id: 0, name: 'id' }, ...fields, ...relations.filter(({ many }) => !many)];
  return keys.flatMap((key) => {
    const name = members.find(({ id }) => id === key.id)?.name;
    return name === undefined ? [] : [{ ...key, name }];
  });
}

function fieldDocument(field: WorldField, world: World): unknown {
  const { type } = field;
  const written = (value: Value | undefined) =>
    type.kind === 'enum' ? valueName(world, type.of, value) : value;
  return {
    type: typeName(type, world),
    ...given({ was: field.was, column: field.column, min: field.min, max: field.max }),
    ...given({ default: written(field.default), backfill: written(field.backfill) }),
    ...given({
      optional: field.optional || undefined,
      unique: field.unique || undefined,
      index: field.index || undefined,
    }),
  };
}

function typeName(type: WorldType, world: World): string {
  if (type.kind === 'enum') return nameOf(world.enums, type.of);
  return type.kind === 'decimal' ? `decimal(${type.precision},${type.scale})` : type.kind;
}

export function valueName(world: World, of: number, id: Value | undefined): string | undefined {
  const values = world.enums.find((it) => it.id === of)?.values ?? [];
  return values.find((it) => it.id === id)?.value;
}

function nameOf(things: readonly { readonly id: number; readonly name: string }[], id: number) {
  return things.find((it) => it.id === id)?.name ?? 'Nothing';
}

function given(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
