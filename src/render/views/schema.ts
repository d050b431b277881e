import type { App, Field, Model } from '../../model/app.ts';
import { code } from '../code.ts';
import { tsCall, tsObject, tsString, tsValue } from '../typescript.ts';
import { idList, linksOf, typeCall } from './field-type.ts';
import { relatedModels, resourceView } from './resource.ts';

/** What `src/<folder>/schema.ts` prints: the shapes of a row on the wire, and the resource that serves it. */
export function schemaView(model: Model, app: App) {
  const { names, description } = model;
  const create = isWritten(model) ? createProperties(model, app) : [];
  const resource = resourceView(model, app);
  return {
    ...names,
    ...resource,
    policy: `${names.variable}Policy`,
    related: relatedModels(model, app).map((related) => related.names),
    summary: description ?? `One of the ${names.humanPlural}, as the API shows it.`,
    options: code(
      tsObject({ title: tsString(names.type), description: description && tsString(description) }),
    ),
    properties: rowProperties(model, app),
    create,
    update: isUpdated(model) && code(updateShape(model)),
  };
}

const isUser = (model: Model) => model.names.type === 'User';
const isUpdated = (model: Model) => isUser(model) || model.endpoints.includes('update');
const isWritten = (model: Model) => isUpdated(model) || model.endpoints.includes('create');

function rowProperties(model: Model, app: App) {
  return [
    ...model.fields
      .filter(({ hidden }) => !hidden)
      .map((field) => property(field.name, typeCall(field, app))),
    ...linksOf(model).map((link) => property(link.idsField, idList(link, app))),
  ];
}

/** What a client may send: the owner, the times and the read-only fields are the server's. */
function createProperties(model: Model, app: App) {
  return [
    ...model.fields
      .filter(({ source }) => source === 'client')
      .map((field) => createProperty(model, field, app)),
    ...linksOf(model)
      .filter(({ through }) => through === undefined)
      .map(({ idsField }) => property(idsField, optional(shown(model, idsField)))),
  ];
}

function createProperty(model: Model, field: Field, app: App) {
  const type = field.hidden ? typeCall(field, app) : shown(model, field.name);
  return property(field.name, field.nullable || field.default ? optional(type) : type);
}

function updateShape(model: Model): string {
  const fixed = model.fields
    .filter(({ immutable, source }) => immutable && source === 'client')
    .map(({ name }) => name);
  const create = `Create${model.names.type}`;
  const changing = fixed.length === 0 ? create : tsCall('Type.Omit', create, tsValue(fixed));
  return tsCall('Type.Partial', changing, '{ additionalProperties: false }');
}

const property = (name: string, value: string) => ({ name, value: code(value) });
const optional = (type: string) => tsCall('Type.Optional', type);
const shown = (model: Model, name: string) => `${model.names.type}.properties.${name}`;
