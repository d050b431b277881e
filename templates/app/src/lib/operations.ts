import type { TObject, TSchema } from 'typebox';
import type { Condition } from './access.ts';
import { fieldsParameter, filterNote, listParameters } from './list/list-parameters.ts';
import { problems } from './problem.ts';
import type { Relation, Resource } from './resource.ts';
import { isToMany } from './sql/source.ts';
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
      summary: `Create a ${name}`,
      querystring: selecting,
      body: bodyAsSent(shapes.create),
      response: { 201: row, ...problems(401, 403, 409, 413, 415, 422) },
    },
    read: {
      ...common('read', policy.read),
      summary: `Read a ${name}`,
      ...one,
      headers: headers('If-None-Match'),
      response: { 200: row, 304: notModified, ...problems(401, 404, 422) },
    },
    update: {
      ...common('update', policy.update),
      summary: `Update a ${name}`,
      ...one,
      headers: headers('If-Match'),
      body: shapes.update,
      response: { 200: row, ...problems(401, 403, 404, 409, 412, 413, 415, 422) },
    },
    delete: {
      ...common('delete', policy.delete),
      summary: `Delete a ${name}`,
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
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, header])) };
}

const header = { type: 'string' };

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
      },
      total_estimated: { type: 'boolean', description: 'Present with `count=estimated`.' },
      limit: { type: 'integer' },
      offset: { type: ['integer', 'null'], description: 'Null behind a cursor.' },
      next_cursor: { type: 'string', description: 'Present when there is a next page.' },
    },
    examples: [{ items: [], total: 0, limit: 50, offset: 0 }],
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
