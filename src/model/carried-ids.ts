import { type App, showsIds, type JoinTable, type Model, type Relation } from './app.ts';
import { findModel } from './lookups.ts';

/** Whether the model declares the relation, rather than the model on the other side. */
export const isDeclaredHere = (relation: Relation) => relation.kind === 'one' || showsIds(relation);

/** Ids by fresh ids: those that the app would have if it were new. */
export type CarriedIds = Readonly<Record<string, string>>;

/** Ids that differ from the fresh ones: of renamed things, and of things that took over a name. */
export function readCarriedIds(app: App): CarriedIds {
  return Object.fromEntries(listIds(app).filter(([fresh, id]) => fresh !== id));
}

/** Gives an app that was built from a schema the ids of an earlier run. */
export function restoreIds(app: App, ids: CarriedIds): App {
  const restored = <Thing extends { readonly id: string }>(thing: Thing): Thing => ({
    ...thing,
    id: ids[thing.id] ?? thing.id,
  });
  return {
    ...app,
    enums: app.enums.map((it) => restored({ ...it, values: it.values.map(restored) })),
    models: app.models.map((it) =>
      restored({ ...it, fields: it.fields.map(restored), relations: it.relations.map(restored) }),
    ),
    joinTables: app.joinTables.map(restored),
  };
}

type IdPair = readonly [fresh: string, id: string];

export function listIds(app: App): readonly IdPair[] {
  return [
    ...app.enums.flatMap(({ name, id, values }): readonly IdPair[] => [
      [`enum:${name}`, id],
      ...values.map((it): IdPair => [`value:${name}.${it.value}`, it.id]),
    ]),
    ...app.models.flatMap(idsOfModel),
    ...app.joinTables.map((join): IdPair => [`join:${nameOfLinks(join, app)}`, join.id]),
  ];
}

function idsOfModel(model: Model): readonly IdPair[] {
  const { name } = model;
  return [
    [`model:${name}`, model.id],
    ...model.fields.map((it): IdPair => [`field:${name}.${it.name}`, it.id]),
    ...model.relations.map((it): IdPair => [freshRelationId(it, name), it.id]),
  ];
}

function freshRelationId(relation: Relation, model: string): string {
  if (isDeclaredHere(relation)) return `relation:${model}.${relation.name}`;
  const declared = relation.kind === 'inverse' ? relation.of : relation.inverse;
  return `inverse:${relation.target}.${declared ?? relation.name}`;
}

/** `Post.tags` */
export function nameOfLinks(join: JoinTable, app: App): string {
  return `${join.left.model}.${relationOfLinks(join, app)}`;
}

export function relationOfLinks({ table, left }: JoinTable, app: App): string {
  const links = findModel(left.model, app)?.relations.filter((it) => it.kind === 'links');
  return links?.find((it) => isDeclaredHere(it) && it.table === table)?.name ?? table;
}
