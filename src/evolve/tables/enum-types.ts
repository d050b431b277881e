import {
  type App,
  type Enum,
  enumOf,
  type Field,
  type Index,
  type Json,
  type UniqueConstraint,
} from '../../model/app.ts';
import type { Comparison } from '../../schema/entry.ts';
import { present } from '../../schema/present.ts';
import { type Pair, pairById } from '../pairs.ts';
import { asideName } from '../sql/sql-text.ts';

/** The type of an enum, where the database has one for it. */
export interface EnumType {
  /** The id of the enum. */
  readonly id: string;
  readonly name: string;
  readonly values: Enum['values'];
}

/** The types that columns use: an enum without a field leaves nothing in the database. */
export function enumTypes(app: App): readonly EnumType[] {
  const fields = app.models.flatMap((it) => it.fields);
  const held = new Set(fields.map((it) => enumTypeOf(it, app)?.id));
  return app.enums.filter(({ id }) => held.has(id)).flatMap(asType);
}

/** Undefined for a column of another type. */
export function enumTypeOf(field: Field, app: App): EnumType | undefined {
  const of = enumOf(field, app);
  return of && asType(of)[0];
}

function asType({ id, type, values }: Enum): readonly EnumType[] {
  return type === undefined ? [] : [{ id, name: type, values }];
}

/**
 * Types by their fate. One that loses a value is made again, as no value can be taken out of a type; it is put aside
 * for its successor meanwhile, as is one that goes.
 */
export function typeDifferences({ before, after }: Pair<App>) {
  const { added, dropped, kept } = pairById(enumTypes(before), enumTypes(after));
  const remade = kept.filter(isRemade);
  const aside = [...dropped, ...remade.map((pair) => pair.before)].map((type) => ({
    before: type,
    after: { ...type, name: asideName(type.name) },
  }));
  return {
    altered: kept.filter((pair) => !isRemade(pair)),
    aside,
    made: [...added, ...remade.map((pair) => pair.after)],
  };
}

const isRemade = ({ before, after }: Pair<EnumType>) =>
  pairById(before.values, after.values).dropped.length > 0;

/**
 * The app whose types have the names and the values that they have when tables are changed. Defaults, and the
 * conditions of indexes, go along when a value gets another name.
 */
export function withTypesOf(apps: Pair<App>): App {
  const { altered, aside } = typeDifferences(apps);
  const types = new Map([...altered, ...aside].map((pair) => [pair.before.id, pair]));
  if (types.size === 0) return apps.before;
  const enums = apps.before.enums.map((it) => {
    const pair = types.get(it.id);
    return pair === undefined ? it : { ...it, type: pair.after.name, values: valuesNow(pair) };
  });
  const models = apps.before.models.map((model) => {
    const called = (name: string, value: Json): Json => {
      const field = model.fields.find((it) => it.name === name);
      const pair = types.get((field && enumTypeOf(field, apps.before)?.id) ?? '');
      const id = pair?.before.values.find((it) => it.value === value)?.id;
      return pair?.after.values.find((it) => it.id === id)?.value ?? value;
    };
    const withCondition = <Keys extends Index | UniqueConstraint>(keys: Keys): Keys => ({
      ...keys,
      ...present({ where: keys.where?.map((it) => conditionNow(it, called)) }),
    });
    return {
      ...model,
      fields: model.fields.map((field) => withDefault(field, called)),
      indexes: model.indexes.map(withCondition),
      unique: model.unique.map(withCondition),
    };
  });
  return { ...apps.before, enums, models };
}

/** The values with their former names in `was`. */
function valuesNow({ before, after }: Pair<EnumType>): Enum['values'] {
  const former = new Map(before.values.map(({ id, value }) => [id, value]));
  return after.values.map((it) => ({ ...it, was: former.get(it.id) ?? it.value }));
}

/** The present name of a field's value. */
type Called = (field: string, value: Json) => Json;

function withDefault(field: Field, called: Called): Field {
  const { default: initial, name } = field;
  if (initial?.kind !== 'literal') return field;
  return { ...field, default: { ...initial, value: called(name, initial.value) } };
}

function conditionNow({ path, values, ...condition }: Comparison, called: Called): Comparison {
  const now = values.map((value) =>
    value.kind === 'literal'
      ? { ...value, text: String(called(path.join('.'), value.text)) }
      : value,
  );
  return { ...condition, path, values: now };
}
