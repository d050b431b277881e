import type { TObject, TSchema } from 'typebox';
import type { Condition } from './access.ts';
import { pageAnswer, rowAnswer } from './operations/answers.ts';
import { bodyAsSent, parametersAsSent } from './operations/as-sent.ts';
import { fieldsParameter, filterNote, listParameters } from './operations/list-parameters.ts';
import { problems } from './operations/problems.ts';
import type { Resource } from './resource.ts';

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
      response: { 200: pageAnswer(resource, shapes.row), ...problems(401, 403, 422) },
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
      response: { 204: nothing, ...problems(401, 403, 404, 409, 412, 422) },
    },
    restore: {
      ...common('restore', () => false),
      summary: `Restore a deleted ${name}`,
      ...one,
      response: { 200: row, ...problems(401, 403, 404, 409, 422) },
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
