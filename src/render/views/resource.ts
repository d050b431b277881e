import { InternalError } from '../../errors.ts';
import type { App, Field, Model, OrderKey, Relation } from '../../model/app.ts';
import { fieldTypes } from '../../types/all.ts';
import { code, tsObject, tsString, tsValue } from '../typescript.ts';
import { ownerKey } from './field-type.ts';

/** The properties of the `Resource` in `src/<folder>/schema.ts`. */
export function resourceView(model: Model, app: App) {
  return {
    table: model.table,
    idType: model.idType,
    fields: model.fields.map((field) => ({
      name: field.name,
      value: code(fieldFacts(field, model)),
    })),
    relations: model.relations.map((relation) => ({
      name: relation.name,
      value: code(relationFacts(relation, app)),
    })),
    unique: model.unique.map(({ name, fields }) => ({ name, value: code(tsValue(fields)) })),
    orderBy: model.orderBy.map(orderKey).join(','),
    softDelete: String(model.softDelete),
  };
}

/** The other models whose resources the relations name, in the order of their folders. */
export function relatedModels(model: Model, app: App): readonly Model[] {
  const named = new Set(model.relations.flatMap((relation) => targets(relation)));
  return app.models
    .filter((other) => other !== model && named.has(other.names.type))
    .toSorted((left, right) => (left.names.folder < right.names.folder ? -1 : 1));
}

const targets = (relation: Relation): readonly string[] =>
  relation.kind === 'links' && relation.through !== undefined
    ? [relation.target, relation.through]
    : [relation.target];

function fieldFacts(field: Field, model: Model): string {
  const {
    name,
    column,
    type,
    nullable,
    hidden,
    source,
    immutable,
    relation,
    default: initial,
  } = field;
  return tsObject({
    type: tsString(type.kind),
    column: column === name ? undefined : tsString(column),
    nullable: flag(nullable),
    hidden: flag(hidden),
    ...fieldTypes[type.kind].details?.(type),
    set: source === 'server' ? tsString(setter(field, model)) : undefined,
    immutable: flag(immutable),
    references: relation === undefined ? undefined : tsString(relation),
    default: initial && defaultOf(initial),
  });
}

const setter = ({ name }: Field, model: Model) =>
  model.assign !== undefined && name === ownerKey(model) ? 'owner' : 'server';

const flag = (value: boolean) => (value ? 'true' : undefined);

function defaultOf(initial: NonNullable<Field['default']>): string {
  return initial.kind === 'literal'
    ? tsObject({ value: tsValue(initial.value) })
    : tsString(initial.kind);
}

function relationFacts(relation: Relation, app: App): string {
  const to = resourceOf(relation.target, app);
  if (relation.kind === 'one') {
    const { key, optional } = relation;
    return tsObject({ kind: "'one'", to, key: tsString(key), nullable: flag(optional) });
  }
  if (relation.kind === 'inverse') {
    const kind = relation.single ? "'single'" : "'many'";
    return tsObject({ kind, to, key: tsString(keyOf(relation.target, relation.of, app)) });
  }
  const { table, column, targetColumn, through, idsField } = relation;
  return tsObject({
    kind: "'links'",
    to,
    table: tsString(table),
    column: tsString(column),
    targetColumn: tsString(targetColumn),
    through: through === undefined ? undefined : resourceOf(through, app),
    ids: idsField === undefined ? undefined : tsString(idsField),
  });
}

/** In a function, because two models may refer to each other. */
function resourceOf(type: string, app: App): string {
  return `(): Resource => ${modelOf(type, app).names.variablePlural}`;
}

function keyOf(type: string, relation: string, app: App): string {
  const found = modelOf(type, app).relations.find(
    ({ kind, name }) => kind === 'one' && name === relation,
  );
  if (found?.kind !== 'one') throw new InternalError(`${type} has no relation ${relation}.`);
  return found.key;
}

function modelOf(type: string, app: App): Model {
  const found = app.models.find(({ names }) => names.type === type);
  if (!found) throw new InternalError(`There is no model ${type}.`);
  return found;
}

const orderKey = ({ field, descending }: OrderKey) => (descending ? `-${field}` : field);
