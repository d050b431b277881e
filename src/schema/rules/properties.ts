import { modelRule, type ModelFacts } from '../facts.ts';
import type { Property } from '../property-facts.ts';
import { namesOfUser } from '../user.ts';

/**
 * Columns that are not free, and why: PostgreSQL gives every table the first six; SQLite gives a column of a subquery
 * another name than these two (`sqlite3ColumnsFromExprList` in its select.c).
 */
const takenColumns = new Map([
  ...['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'].map(
    (name) => [name, 'PostgreSQL'] as const,
  ),
  ...['true', 'false'].map((name) => [name, 'SQLite'] as const),
]);

/** Fields, keys, id lists and inverses share the names of a JSON object. */
export const propertiesAreDistinct = modelRule((model, report) => {
  const firsts = new Map<string, Property>();
  for (const property of model.properties) {
    const first = firsts.get(property.name.toLowerCase());
    if (first === undefined) firsts.set(property.name.toLowerCase(), property);
    else if (property.at !== undefined && property.at !== first.at) {
      report({ at: property.at, ...propertyWording(model, property, first) });
    }
  }
});

/** Signing in and out relies on what `User` has. */
export const userKeepsItsTimes = modelRule(({ isUser, schema }, report) => {
  const { created, updated } = schema.timestamps ?? {};
  if (!isUser || schema.timestamps === undefined || (created && updated)) return;
  const message = 'User always has `created_at` and `updated_at`: they are built in';
  const help =
    'remove `timestamps`, or say what both are called: `{ created: made_at, updated: changed_at }`';
  report({ code: 'SCF213', at: schema.keysAt?.timestamps ?? schema.name.at, message, help });
});

/** Signing in relies on the key of `User`. */
export const userKeepsItsKey = modelRule(({ isUser, schema }, report) => {
  const column = schema.id?.column;
  if (!isUser || column === undefined) return;
  const message = 'the column of the ids of User is always called `id`';
  const help = 'remove `column`: an existing table is converted when it is taken over';
  report({ code: 'SCF226', at: column.at, message, help });
});

function helpForBuiltIn(
  name: string,
  kind: Property['kind'],
  { isUser }: Pick<ModelFacts, 'isUser'>,
): string {
  if (kind === 'inverse') return 'give the other side another name with `inverse:`';
  if (isUser) {
    return `remove it; id, ${namesOfUser.join(', ')}, created_at and updated_at are built in`;
  }
  return name === 'id'
    ? 'remove it: the kind of the `id` is a key of the model, `id: int` or `id: uuid`'
    : 'remove it, or choose another name; `timestamps: false` leaves the times out';
}

function propertyWording(model: ModelFacts, property: Property, first: Property) {
  const { name } = model;
  if (first.kind === 'built-in') {
    const message = `${name} already has \`${first.name}\`: it is built in`;
    const help = helpForBuiltIn(first.name, property.kind, model);
    return { code: 'SCF213', message, help };
  }
  const message = `${name} cannot have both ${first.title} and ${property.title}`;
  const help = 'rename one of them; names that differ only in case are the same';
  return { code: property.kind === 'inverse' ? 'SCF306' : 'SCF214', message, help };
}

export const columnsAreDistinct = modelRule(({ name, properties }, report) => {
  const firsts = new Map<string, Property>();
  for (const property of properties) {
    const { column } = property;
    if (column === undefined) continue;
    const first = firsts.get(column.toLowerCase());
    firsts.set(column.toLowerCase(), first ?? property);
    const at = property.columnAt ?? first?.columnAt;
    if (at === undefined) continue;
    const wrong = columnFlaw(column, first, property);
    if (wrong === undefined) continue;
    const help = 'choose another one with `column:`';
    report({ code: 'SCF214', at, message: `${name}: ${wrong}`, help });
  }
});

function columnFlaw(column: string, first: Property | undefined, property: Property) {
  const taken = takenColumns.get(column.toLowerCase());
  if (taken !== undefined) return `${taken} reserves the column name \`${column}\``;
  // Another rule reports equal names.
  if (first === undefined || first.name.toLowerCase() === property.name.toLowerCase())
    return undefined;
  return `${first.title} and ${property.title} would share the column \`${column}\``;
}
