import { newUuid } from '../ids.ts';
import { type Field, fieldOf, type Links, type Resource } from '../resource.ts';
import { canonical } from '../values.ts';

/** What a row is given, by field; a list of ids for each relation that links. */
export type RowValues = Readonly<Record<string, unknown>>;

export interface Linked {
  readonly field: string;
  readonly relation: Links;
  readonly ids: readonly unknown[];
}

/** The values that are columns of the row; a name that is no field is a mistake in the caller's code. */
export function columnsIn(
  resource: Resource,
  values: RowValues,
): readonly (readonly [string, unknown])[] {
  const links = linksIn(resource, values).map(({ field }) => field);
  return Object.entries(values).filter(
    ([name, value]) => value !== undefined && !links.includes(name),
  );
}

export function linksIn(resource: Resource, values: RowValues): readonly Linked[] {
  return Object.values(resource.relations).flatMap((relation): Linked[] => {
    if (relation.kind !== 'links' || relation.ids === undefined) return [];
    const ids = Object.hasOwn(values, relation.ids) ? values[relation.ids] : undefined;
    if (!Array.isArray(ids)) return [];
    const idField = fieldOf(relation.to(), 'id');
    const distinct = new Set(ids.map((id) => canonical(id, idField)));
    return [{ field: relation.ids, relation, ids: [...distinct] }];
  });
}

/** The values of a new row: those that it is given, and the defaults of the others. */
export function withDefaults(resource: Resource, values: RowValues): RowValues {
  const row: Record<string, unknown> = resource.id === 'uuid' ? { id: newUuid() } : {};
  const now = new Date();
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.default !== undefined) row[name] = defaultOf(field, now);
  }
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) row[name] = value;
  }
  return row;
}

/** The values of a changed row: a change moves `updated_at`. */
export function withChangeTime(resource: Resource, values: RowValues): RowValues {
  if (Object.values(values).every((value) => value === undefined)) return {};
  const { type, set } = resource.fields['updated_at'] ?? {};
  const isStamped = type === 'datetime' && set === 'server';
  return isStamped ? { updated_at: new Date().toISOString(), ...values } : values;
}

function defaultOf({ type, default: preset }: Field, now: Date): unknown {
  if (preset === 'uuid') return newUuid();
  if (preset !== 'now') return preset?.value;
  const text = now.toISOString();
  if (type === 'date') return text.slice(0, 10);
  return type === 'time' ? text.slice(11, 23) : text;
}
