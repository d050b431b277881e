import type { TObject, TSchema } from 'typebox';
import type { TypeName } from '../database/values.ts';
import type { Condition } from './access.ts';
import { type Operator, operators, operatorsOf } from './list/filter.ts';
import { reservedParameters } from './list/query-string.ts';
import { type Field, fieldOf, type Relation, type Resource, visibleFields } from './resource.ts';
import { problems } from './problem.ts';
import { isToMany } from './sql.ts';
import { bodyAsSent, parametersAsSent } from './types.ts';

interface Shapes<Create extends TSchema, Update extends TSchema> {
  readonly row: TObject;
  readonly create: Create;
  readonly update: Update;
}

/** What the routes of a resource accept and answer: for the validation of bodies, and for the OpenAPI document. */
export function operationsOf<Create extends TSchema, Update extends TSchema>(
  resource: Resource,
  shapes: Shapes<Create, Update>,
) {
  const { name, policy } = resource;
  const common = (verb: string, rule: (viewer: null) => Condition) => ({
    operationId: `${verb}${name}`,
    tags: [name],
    security: rule(null) === false ? [{ login: [] }] : [{}, { login: [] }],
  });
  const selecting = parametersAsSent(fieldsParameter(resource));
  const one = { params: idParameter(resource), querystring: selecting };
  const row = rowAnswer(resource, shapes.row);

  return {
    list: {
      ...common('list', policy.list),
      summary: `List ${name} rows`,
      description: filterNote(resource),
      querystring: listParameters(resource),
      response: { 200: pageAnswer(resource, shapes.row), ...problems(401, 403, 422, 429) },
    },
    create: {
      ...common('create', policy.create),
      summary: `Create a new ${name}`,
      querystring: selecting,
      body: bodyAsSent(shapes.create),
      response: { 201: row, ...problems(401, 403, 409, 413, 415, 422) },
    },
    read: {
      ...common('read', policy.read),
      summary: `Read one ${name}`,
      ...one,
      headers: headers('If-None-Match'),
      response: { 200: row, 304: notModified, ...problems(401, 404, 422) },
    },
    update: {
      ...common('update', policy.update),
      summary: `Update one ${name}`,
      ...one,
      headers: headers('If-Match'),
      body: shapes.update,
      response: { 200: row, ...problems(401, 403, 404, 409, 412, 413, 415, 422) },
    },
    delete: {
      ...common('delete', policy.delete),
      summary: `Delete one ${name}`,
      ...one,
      headers: headers('If-Match'),
      response: { 204: nothing, ...problems(401, 403, 404, 409, 412, 413, 415, 422) },
    },
    restore: {
      ...common('restore', () => false),
      summary: `Restore a deleted ${name}`,
      ...one,
      response: { 200: row, ...problems(401, 403, 404, 409, 413, 415, 422) },
    },
  };
}

const nothing = { type: 'null', description: 'No content.' };
const notModified = { type: 'null', description: 'Not modified.' };

function idParameter({ id }: Resource): object {
  const type = id === 'int' ? { type: 'integer', minimum: 1 } : { type: 'string', format: 'uuid' };
  return parametersAsSent({ id: type }, ['id']);
}

function headers(...names: readonly string[]): object {
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, text])) };
}

/**
 * What `fields` asks for of a row and of the rows that it is related to, and nothing that is not named here. The
 * document tells it apart from the whole row, which clients get who ask for nothing special.
 */
export function rowAnswer({ name, relations }: Resource, row: TObject): object {
  const own = Object.entries(row.properties).map(([key, type]) => [key, withoutDefault(type)]);
  const embedded = Object.entries(relations).map(([key, relation]) => [
    key,
    embeddedType(relation),
  ]);
  return {
    title: `${name}Selection`,
    description: `The ${name}, or what \`fields\` selects of it.`,
    type: 'object',
    required: ['id'],
    properties: Object.fromEntries([...own, ...embedded]),
    additionalProperties: false,
    [wholeRow]: row,
  };
}

/** The keyword that holds the shape of the whole row, for the document. */
export const wholeRow = 'x-whole-row';

export function pageAnswer(resource: Resource, row: TObject): object {
  return {
    title: `${resource.name}Page`,
    description: 'A page of the list.',
    type: 'object',
    required: ['items', 'total', 'limit', 'offset'],
    properties: {
      items: { type: 'array', items: rowAnswer(resource, row) },
      total: {
        type: ['integer', 'null'],
        description: 'How many rows there are on all pages; null with `count=none`.',
        examples: [1],
      },
      total_estimated: { type: 'boolean', description: 'Present with `count=estimated`.' },
      limit: { type: 'integer', examples: [50] },
      offset: {
        type: ['integer', 'null'],
        description: 'Null behind a cursor.',
        examples: [0],
      },
      next_cursor: { type: 'string', description: 'Present when there is a next page.' },
    },
  };
}

/** Or a field that was not asked for would be answered with its default. */
function withoutDefault(type: object): object {
  const { default: _, ...rest } = { default: undefined, ...type };
  return rest;
}

function embeddedType(relation: Relation): object {
  const row = { type: 'object', additionalProperties: true };
  if (isToMany(relation)) return { type: 'array', items: row };
  return { ...row, type: ['object', 'null'], description: 'Null also when you may not read it.' };
}

type Parameters = Readonly<Record<string, object>>;

/** Every parameter of a list, typed; paths over relations are described in words, for they have no end. */
function listParameters(resource: Resource): object {
  return parametersAsSent({
    ...pageParameters(resource),
    ...fieldsParameter(resource),
    filters: filtersParameter(resource),
    filter: {
      type: 'string',
      description: `The same as JSON, for “or” and nesting: \`${exampleFilter(resource)}\`.`,
    },
    ...(resource.softDelete
      ? { deleted: { type: 'string', enum: ['only', 'with'], description: 'For admins.' } }
      : {}),
    ...ownParameters(resource),
  });
}

function ownParameters({ parameters = {} }: Resource): Parameters {
  const own = Object.entries(parameters);
  return Object.fromEntries(own.map(([name, { description }]) => [name, { ...text, description }]));
}

function pageParameters({ orderBy }: Resource): Parameters {
  return {
    limit: {
      type: 'integer',
      minimum: 0,
      maximum: 1000,
      default: 50,
      description: 'The most rows of one page.',
    },
    offset: {
      type: 'integer',
      minimum: 0,
      default: 0,
      description: 'How many rows come before the page.',
    },
    cursor: {
      type: 'string',
      description:
        'The `next_cursor` of the page before: as fast at the end of a list as at its start.',
    },
    count: {
      type: 'string',
      enum: ['exact', 'estimated', 'none'],
      default: 'exact',
      description: 'How `total` is found.',
    },
    order_by: {
      type: 'string',
      description:
        'Up to five fields, separated by commas; `-` in front of one reverses its order.',
      ...(orderBy === '' ? {} : { default: orderBy }),
    },
  };
}

function fieldsParameter(resource: Resource): Parameters {
  const [related] = relatedFields(resource);
  const names = [...ownFields(resource).slice(0, 2), ...(related ? [related] : [])];
  return {
    fields: {
      type: 'string',
      description: `What to answer of each row: \`${names.join(',')}\`; \`*\` for all own fields.`,
    },
  };
}

/** How a list is filtered, for its description. */
function filterNote(resource: Resource): string {
  const [related] = relatedFields(resource);
  const path = related === undefined ? '' : ` Fields of related rows as well: \`${related}=…\`.`;
  const json = 'Where there is one input for all filters, they are JSON: `{"field":"value"}`.';
  return `Filter by any field, \`field=value\`, or with an operator, \`field__operator=value\`.${path} ${json}`;
}

/** One parameter to read, which is as many in the URL as it has properties that are set. */
function filtersParameter(resource: Resource): object {
  const filters = visibleFields(resource).map((name) => {
    const field = fieldOf(resource, name);
    const [first = 'eq', ...others] = operatorsOf[field.type].toSorted(equalityFirst);
    const names = others.map((operator) => `\`${parameterName(resource, name, operator)}\``);
    const description = names.length === 0 ? '' : `Also ${names.join(', ')}.`;
    return [parameterName(resource, name, first), { ...operandType(field, first), description }];
  });
  return {
    type: 'object',
    style: 'form',
    explode: true,
    description: filterNote(resource),
    properties: Object.fromEntries(filters),
    additionalProperties: { type: 'string' },
  };
}

function equalityFirst(left: Operator, right: Operator): number {
  return Number(right === 'eq') - Number(left === 'eq');
}

/** Equality is written without its name, except for a field that is called like a parameter. */
function parameterName(resource: Resource, name: string, operator: Operator): string {
  const isPlain = operator === 'eq' && !reservedParameters(resource).includes(name);
  return isPlain ? name : `${name}__${operator}`;
}

function ownFields(resource: Resource): readonly string[] {
  return visibleFields(resource).filter((name) => name !== 'id');
}

/** `author.name` */
function relatedFields({ relations }: Resource): readonly string[] {
  return Object.entries(relations).flatMap(([name, { to }]) => {
    const [field] = ownFields(to());
    return field === undefined ? [] : [`${name}.${field}`];
  });
}

/** Of fields that this model has. */
function exampleFilter(resource: Resource): string {
  const [first = 'id', second = 'id'] = ownFields(resource).filter((name) =>
    operatorsOf[fieldOf(resource, name).type].includes('eq'),
  );
  const condition = (name: string) => [name, '=', exampleOperand(fieldOf(resource, name))];
  return JSON.stringify(['|', [condition(first), condition(second)]]);
}

function exampleOperand({ type, values }: Field): unknown {
  if (values !== undefined) return values[0];
  if (type === 'bool') return true;
  return ['int', 'float', 'id'].includes(type) ? 1 : '…';
}

function operandType(field: Field, operator: Operator): object {
  switch (operators[operator].takes) {
    case 'value':
      return valueType(field);
    case 'truth':
      return { type: 'boolean' };
    case 'pair':
      return { type: 'string', description: 'Two values, separated by a comma.' };
    case 'list':
      return { type: 'string', description: 'Values, separated by commas.' };
    default:
      return { type: 'string' };
  }
}

function valueType({ type, values }: Field): object {
  return values === undefined ? valueTypes[type] : { type: 'string', enum: values };
}

const text = { type: 'string' };

const valueTypes: Readonly<Record<TypeName, object>> = {
  string: text,
  text,
  email: { ...text, format: 'idn-email' },
  url: { ...text, format: 'iri' },
  int: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  bigint: { ...text, format: 'int64' },
  float: { type: 'number' },
  decimal: text,
  bool: { type: 'boolean' },
  date: { ...text, format: 'date' },
  time: { ...text, format: 'partial-time' },
  datetime: { ...text, format: 'date-time' },
  uuid: { ...text, format: 'uuid' },
  json: text,
  bytes: text,
  enum: text,
  id: { type: 'integer', minimum: 0 },
};
