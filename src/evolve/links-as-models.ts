import type { App, Field, JoinTable, Model } from '../model/app.ts';
import { typeOfKey } from '../model/fields.ts';
import { findField } from '../model/lookups.ts';
import type { Pair } from './pairs.ts';

/** Join tables that become models, recognised by their carried ids. */
export function linksAsModels({ before, after }: Pair<App>): readonly JoinTable[] {
  return before.joinTables.filter(({ id }) => after.models.some((model) => model.id === id));
}

/** The former app with a model for each join table that becomes one. */
export function withLinksAsModels(apps: Pair<App>): App {
  const { before, after } = apps;
  const links = linksAsModels(apps);
  const models = after.models.flatMap((model) => {
    const join = links.find(({ id }) => id === model.id);
    return join === undefined ? [] : [asModel(join, model, before)];
  });
  const joinTables = before.joinTables.filter((it) => !links.includes(it));
  return { ...before, models: [...before.models, ...models], joinTables };
}

function asModel(join: JoinTable, model: Model, before: App): Model {
  const sideOf = (field: string) =>
    (['left', 'right'] as const).find(
      (side) => findField(model, field)?.id === `${join.id}.${side}`,
    );
  const fields = model.fields.flatMap((field): readonly Field[] => {
    const side = sideOf(field.name);
    if (side === undefined) return [];
    const { column, model: type } = join[side];
    const { backfill: _, stored: __, ...key } = field;
    return [{ ...key, column, nullable: false, ...typeOfKey(type, before) }];
  });
  const relations = model.relations.flatMap((relation) => {
    const side = relation.kind === 'one' ? sideOf(relation.key) : undefined;
    if (relation.kind !== 'one' || side === undefined) return [];
    const { onUpdate: _, ...key } = relation;
    return [{ ...key, onDelete: 'cascade', target: join[side].model } as const];
  });
  const right = fields.filter(({ column }) => column === join.right.column);
  const keys = right.map(({ name }) => ({ field: name, descending: false }));
  const indexes = [{ name: join.index, keys }];
  return { ...model, table: join.table, fields, relations, unique: [], indexes, checks: [] };
}
