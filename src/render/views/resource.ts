import type { App, Model, OrderKey, Relation } from '../../model/app.ts';
import { typeNameLike } from '../../naming/name.ts';
import { findFieldByRole, getField, getModel } from '../../model/lookups.ts';
import { code, tsObject, tsString, tsValue } from '../typescript.ts';

export const property = (name: string, value: string) => ({ name, value: code(value) });

/** The properties of the `Resource` in `src/<folder>/schema.ts`. */
export function resourceView(model: Model, app: App) {
  // SQLite itself says which columns are taken.
  const constraints = app.database === 'postgres' ? model.unique : [];
  const order = model.orderBy.map(printOrderKey).join(',');
  const deleted = findFieldByRole(model, 'deleted_at')?.name;
  return {
    // The type of many may have another name, where a word is its own plural.
    plural: typeNameLike(model.names.humanPlural),
    table: model.table,
    relations: model.relations.map((it) => property(it.name, relationView(it, model, app))),
    unique: constraints.map((it) => property(it.name, tsValue(it.fields))),
    checks: model.checks.map(({ name, left, operator, right }) =>
      property(name, tsValue([left, operator, right])),
    ),
    orderBy: code(order && `orderBy: ${tsString(order)},`),
    softDelete: code(deleted ? `softDelete: ${tsString(deleted)},` : ''),
  };
}

/** The other models whose resources the relations name, in the order of their folders. */
export function relatedModels(model: Model, app: App): readonly Model[] {
  const named = new Set(model.relations.flatMap((relation) => targets(relation)));
  return app.models
    .filter((other) => other !== model && named.has(other.name))
    .toSorted((left, right) => (left.names.folder < right.names.folder ? -1 : 1));
}

const targets = (relation: Relation): readonly string[] =>
  relation.kind === 'links' && relation.through !== undefined
    ? [relation.target, relation.through]
    : [relation.target];

function relationView(relation: Relation, model: Model, app: App): string {
  const to = printResource(relation.target, app);
  if (relation.kind === 'one') {
    const { key, onDelete } = relation;
    return tsObject({
      kind: "'one'",
      to,
      key: tsString(key),
      nullable: getField(model, key).nullable ? 'true' : undefined,
      onDelete: onDelete === 'cascade' ? tsString(onDelete) : undefined,
    });
  }
  if (relation.kind === 'inverse') {
    const key = getField(getModel(relation.target, app), relation.of);
    return tsObject({ kind: key.unique ? "'single'" : "'many'", to, key: tsString(key.name) });
  }
  const { table, column, targetColumn, through, idsField } = relation;
  return tsObject({
    kind: "'links'",
    to,
    table: tsString(table),
    column: tsString(column),
    targetColumn: tsString(targetColumn),
    through: through === undefined ? undefined : printResource(through, app),
    ids: idsField === undefined ? undefined : tsString(idsField),
  });
}

/** In a function, because two models may refer to each other. */
function printResource(model: string, app: App): string {
  return `(): Resource => ${getModel(model, app).names.variablePlural}`;
}

const printOrderKey = ({ field, descending }: OrderKey) => (descending ? `-${field}` : field);
