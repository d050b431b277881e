import { type App, isIdList, type JoinTable, type Model, findModel, type Relation } from './app.ts';

/** Whether the model itself declares the relation, and not the model at the other side. */
export const isOwn = (relation: Relation) => relation.kind === 'one' || isIdList(relation);

/** Ids by those that the same things would have if the app were new. */
export type CarriedIds = Readonly<Record<string, string>>;

/** Only the ids that differ from the fresh ones: those of renamed things, and of things that took over a name. */
export function carriedIds(app: App): CarriedIds {
  return Object.fromEntries(identities(app).filter(([fresh, id]) => fresh !== id));
}

/** The app as it was, given the app that its schema means. */
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

export function identities(app: App): readonly IdPair[] {
  return [
    ...app.enums.flatMap(({ name, id, values }): readonly IdPair[] => [
      [`enum:${name}`, id],
      ...values.map((it): IdPair => [`value:${name}.${it.value}`, it.id]),
    ]),
    ...app.models.flatMap((model) => idsOfModel(model, app)),
    ...app.joinTables.map((join): IdPair => [`join:${linksName(join, app)}`, join.id]),
  ];
}

function idsOfModel(model: Model, app: App): readonly IdPair[] {
  const { name } = model;
  return [
    [`model:${name}`, model.id],
    ...model.fields.map((it): IdPair => [`field:${name}.${it.name}`, it.id]),
    ...model.relations.map((it): IdPair => [freshRelationId(it, name, app), it.id]),
  ];
}

function freshRelationId(relation: Relation, model: string, app: App): string {
  if (isOwn(relation)) return `relation:${model}.${relation.name}`;
  const declared = relation.kind === 'inverse' ? relation.of : relation.inverse;
  return `inverse:${nameOfType(relation.target, app)}.${declared ?? relation.name}`;
}

/** `Post.tags` */
export function linksName(join: JoinTable, app: App): string {
  return `${nameOfType(join.left.model, app)}.${relationOfLinks(join, app)}`;
}

/** The name of the relation that declares the links. */
export function relationOfLinks({ table, left }: JoinTable, app: App): string {
  const links = findModel(left.model, app)?.relations.filter((it) => it.kind === 'links');
  return links?.find((it) => isOwn(it) && it.table === table)?.name ?? table;
}

/** The name that the schema has for a type. */
export function nameOfType(type: string, app: App): string {
  return findModel(type, app)?.name ?? type;
}
