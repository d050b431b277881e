import type { TObject, TSchema } from 'typebox';
import type { Condition } from './access.ts';
import { operatorsOf } from './list/filter.ts';
import { reservedParameters } from './list/query-string.ts';
import { fieldOf, isToMany, type Relation, type Resource, visibleFields } from './resource.ts';
import { problems } from './problem.ts';
import { moreOf } from './row-json.ts';
import { bodyAsSent, parametersAsSent } from './types.ts';

interface Shapes<Create extends TSchema, Update extends TSchema> {
  readonly row: TObject;
  readonly create: Create;
  readonly update: Update;
  /** What the creator of a row gets, where that is not simply the row. */
  readonly created?: (answer: RowAnswer) => object;
}

/** What the routes of a resource accept and return: for the validation of bodies and for the OpenAPI document. */
export function operationsOf<Create extends TSchema, Update extends TSchema>(
  resource: Resource,
  shapes: Shapes<Create, Update>,
) {
  const { name, table, softDelete, policy } = resource;
  const one = name.replaceAll(/(?<=[a-z\d])[A-Z]/g, ' $&').toLowerCase();
  const many = table.replaceAll('_', ' ');
  const rows = many.replaceAll(/(?:^| )\w/g, (start) => start.trim().toUpperCase());
  const operation = (verb: string, rule: (viewer: null) => Condition, description: string) => ({
    operationId: `${verb.toLowerCase()}${verb === 'List' ? rows : name}`,
    summary: `${verb} ${verb === 'List' ? many : one}`,
    description,
    tags: [name],
    security: rule(null) === false ? [{ login: [] }] : [{}, { login: [] }],
  });
  const selecting = parametersAsSent({ fields: text('What to return of the row, as in a list.') });
  const id = { description: 'The id of the row.', ...shapes.row.properties.id };
  const address = { params: parametersAsSent({ id }, ['id']), querystring: selecting };
  const row = rowAnswer(resource, shapes.row);

  return {
    list: {
      ...operation('List', policy.list, `The ${many} that you may see, page by page.`),
      querystring: listParameters(resource, shapes.row),
      response: { 200: pageAnswer(resource, shapes.row), ...problems(401, 403, 422) },
    },
    create: {
      ...operation('Create', policy.create, descriptions.create),
      querystring: selecting,
      body: bodyAsSent({ ...shapes.create, title: `Create${name}` }),
      response: {
        201: shapes.created?.(row) ?? row,
        ...problems(401, 403, 409, 413, 415, 422),
      },
    },
    read: {
      ...operation('Read', policy.read, descriptions.read),
      ...address,
      headers: header(
        'If-None-Match',
        'The `ETag` that you have: 304 if the row has not changed since.',
      ),
      response: { 200: row, 304: empty('Not modified.'), ...problems(401, 404, 422) },
    },
    update: {
      ...operation('Update', policy.update, descriptions.update),
      ...address,
      headers: header('If-Match', 'The `ETag` that you have: 412 if the row has changed since.'),
      body: { ...shapes.update, title: `Update${name}` },
      response: { 200: row, ...problems(401, 403, 404, 409, 412, 413, 415, 422) },
    },
    delete: {
      ...operation('Delete', policy.delete, softDelete ? descriptions.hide : 'For good.'),
      params: address.params,
      headers: header('If-Match', 'The `ETag` that you have: 412 if the row has changed since.'),
      response: {
        204: empty('No content.'),
        ...problems(401, 403, 404, 409, 412, 413, 415, 422),
      },
    },
    restore: {
      ...operation('Restore', policy.restore, 'Brings back what was deleted.'),
      ...address,
      response: { 200: row, ...problems(401, 403, 404, 409, 413, 415, 422) },
    },
  };
}

const descriptions = {
  create: 'Answers with the new row, and its address in `Location`.',
  read: 'The row, if you may see it.',
  update:
    'What you leave out stays as it is. With `If-Match`, nothing is changed that you have not read.',
  hide: 'Hides the row from lists and reads; it can be restored.',
};

const empty = (description: string) => ({ type: 'null', description });

function header(name: string, description: string): object {
  return { type: 'object', properties: { [name]: text(description) } };
}

/**
 * The parts of a row and of its related rows that `fields` may ask for; nothing else leaves the server. The document
 * shows the whole row, as clients get it without `fields`.
 */
function rowAnswer({ relations }: Resource, row: TObject) {
  // Without defaults, which would be filled in for fields that were not asked for.
  const own = Object.entries(row.properties).map(([key, type]) => [
    key,
    { ...type, default: undefined },
  ]);
  const embedded = Object.entries(relations).flatMap(([key, relation]) => [
    [key, embeddedType(relation)],
    ...(isToMany(relation) ? [[moreOf(key), moreType]] : []),
  ]);
  return {
    description: 'The row; with `fields`, what was asked for of it.',
    type: 'object',
    required: ['id'],
    properties: Object.fromEntries([...own, ...embedded]),
    additionalProperties: false,
    [wholeRow]: row,
  };
}

/** The keyword that holds the shape of the whole row, for the document. */
export const wholeRow = 'x-whole-row';

export type RowAnswer = ReturnType<typeof rowAnswer>;

/** A page of the list. The database writes its rows, so this is for the document alone. */
function pageAnswer({ name }: Resource, row: TObject): object {
  return {
    title: `${name}Page`,
    description: 'A page of the list; with `fields`, its rows have what was asked for.',
    type: 'object',
    required: ['items', 'total', 'limit', 'offset'],
    properties: {
      items: { type: 'array', items: row, description: 'The rows of this page.' },
      total: {
        type: ['integer', 'null'],
        description: 'How many rows there are on all pages; null with `count=none`.',
      },
      total_estimated: { type: 'boolean', description: 'Present with `count=estimated`.' },
      limit: { type: 'integer', description: 'The most rows that this page could have.' },
      offset: { type: ['integer', 'null'], description: 'Null after a cursor.' },
      next_cursor: { type: 'string', description: 'Present when there is a next page.' },
    },
  };
}

const moreType = { type: 'boolean', description: 'Present when there are more than are embedded.' };

function embeddedType(relation: Relation): object {
  const row = { type: 'object', additionalProperties: true };
  if (isToMany(relation)) return { type: 'array', items: row };
  return { ...row, type: ['object', 'null'], description: 'Null also when you may not read it.' };
}

/** The parameters of a list; other operators and paths over relations are too many to name. */
function listParameters(resource: Resource, row: TObject): object {
  const { orderBy, softDelete, parameters: own = {} } = resource;
  const order = { ...parameters.order_by, ...(orderBy && { default: orderBy }) };
  const ownParameters = Object.entries(own).map(([name, { description }]) => [
    name,
    text(description),
  ]);
  return parametersAsSent({
    ...parameters,
    order_by: order,
    ...(softDelete && { deleted }),
    ...Object.fromEntries([...ownParameters, ...fieldParameters(resource, row)]),
  });
}

/** A field with the name of a parameter is written with its operator. */
function fieldParameters(resource: Resource, row: TObject) {
  const reserved = reservedParameters(resource);
  const comparable = visibleFields(resource).filter((name) =>
    operatorsOf[fieldOf(resource, name).type].includes('eq'),
  );
  return comparable.map((name) => {
    const property: Property = row.properties[name] ?? {};
    const { type = 'string', format, enum: values, description } = property;
    const [kind] = [type].flat();
    const options = values?.filter((value) => value !== null);
    const parameter = {
      type: kind,
      ...(format && { format }),
      ...(options && { enum: options }),
      description: [description, 'Only rows with this value.'].filter(Boolean).join(' '),
    };
    return [reserved.includes(name) ? `${name}__eq` : name, parameter];
  });
}

interface Property {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
}

const whole = (description: string, bounds: object) => ({
  type: 'integer',
  ...bounds,
  description,
});
const text = (description: string, more: object = {}) => ({ type: 'string', ...more, description });

const fields = text(
  'What to answer of each row: names of fields, `relation.field` for related rows, `*` for all own fields; separated by commas.',
);

/** The parameters that every list has. */
const parameters = {
  limit: whole('The most rows of one page.', { minimum: 0, maximum: 1000, default: 50 }),
  offset: whole('How many rows come before the page.', { minimum: 0, default: 0 }),
  cursor: text(
    'The `next_cursor` of the page before: as fast at the end of a list as at its start.',
  ),
  count: text('How `total` is found.', {
    enum: ['exact', 'estimated', 'none'],
    default: 'exact',
  }),
  order_by: text('Up to five fields, separated by commas; `-` in front of one reverses its order.'),
  fields,
  filter: text(
    'Conditions as JSON, for “or” and nesting: `["|",[["field","=","value"],["other",">",10]]]`.',
  ),
};

const deleted = text('Deleted rows, for admins.', { enum: ['only', 'with'] });
