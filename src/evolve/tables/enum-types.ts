import type { App, Enum, Field } from '../../model/app.ts';
import { findEnum, listEnumValues } from '../../model/lookups.ts';
import { renameInConditions } from '../../model/rename-in-rules.ts';
import { type Pair, pairById } from '../pairs.ts';
import { asideName } from '../sql/sql-text.ts';

/** The type of an enum, where the database has one for it. */
export interface EnumType {
  readonly id: string;
  readonly name: string;
  readonly values: Enum['values'];
}

/** The types that columns use: an enum without a field is not in the database. */
export function enumTypes(app: App): readonly EnumType[] {
  const fields = app.models.flatMap((it) => it.fields);
  const held = new Set(fields.map((it) => findEnumType(it, app)?.id));
  return app.enums.filter(({ id }) => held.has(id)).flatMap(namedEnumType);
}

/** Undefined for a column of another type. */
export function findEnumType(field: Field, app: App): EnumType | undefined {
  const of = findEnum(field, app);
  return of && namedEnumType(of)[0];
}

function namedEnumType({ id, type, values }: Enum): readonly EnumType[] {
  return type === undefined ? [] : [{ id, name: type, values }];
}

/** A type that loses a value is recreated, since values cannot be removed. It is renamed first, like a dropped one. */
export function compareEnumTypes({ before, after }: Pair<App>) {
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

/** The app with the present names and values of types, also in defaults and conditions of indexes. */
export function withChangedTypes(apps: Pair<App>): App {
  const { altered, aside } = compareEnumTypes(apps);
  const types = new Map([...altered, ...aside].map((pair) => [pair.before.id, pair]));
  if (types.size === 0) return apps.before;
  const enums = apps.before.enums.map((it) => {
    const pair = types.get(it.id);
    return pair === undefined ? it : { ...it, type: pair.after.name, values: valuesNow(pair) };
  });
  const now = { ...apps.before, enums };
  const models = apps.before.models.map((model) => {
    const fields = model.fields.map((field) => withDefaultNow(field, apps.before, now));
    return { ...renameInConditions(model, apps.before, now), fields };
  });
  return { ...now, models };
}

/** The values with their former names in `was`. */
function valuesNow({ before, after }: Pair<EnumType>): Enum['values'] {
  const former = new Map(before.values.map(({ id, value }) => [id, value]));
  return after.values.map((it) => ({ ...it, was: former.get(it.id) ?? it.value }));
}

function withDefaultNow(field: Field, before: App, now: App): Field {
  const { default: initial } = field;
  if (initial?.kind !== 'literal') return field;
  const id = listEnumValues(field, before).find(({ value }) => value === initial.value)?.id;
  const value = listEnumValues(field, now).find((it) => it.id === id)?.value ?? initial.value;
  return { ...field, default: { ...initial, value } };
}
