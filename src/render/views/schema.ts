import {
  isCreatable,
  isAssignable,
  isUpdatable,
  isRequired,
  isServerSet,
} from '../../model/writing.ts';
import {
  type App,
  type Field,
  showsIds,
  isPassword,
  type Model,
  type LinksWithIds,
} from '../../model/app.ts';
import { listAgreeingRelations } from '../../model/lookups.ts';
import { operations } from '../../schema/language.ts';
import { isOfKind } from '../../schema/entry.ts';
import {
  code,
  tsBlock,
  tsCall,
  tsKey,
  tsObject,
  tsString,
  tsValue,
  tsValues,
} from '../typescript.ts';
import { comment } from '../helpers.ts';
import { idList, fieldsWithRules, writableLinks, typeCall, valueType } from './field-type.ts';
import { exampleBody } from './tests/example-rows.ts';
import { resourceView, relatedModels, property } from './resource.ts';
import { defaultsView } from './defaults.ts';
import type { Json } from '../../types/field-type.ts';

/** What `src/<folder>/schema.ts` prints: the shapes of a row on the wire, and the resource that serves it. */
export function schemaView(model: Model, app: App) {
  const { names, description } = model;
  return {
    ...names,
    ...resourceView(model, app),
    isPolicyLate: isPolicyLate(model),
    fields: code(printFields(model, app)),
    related: relatedModels(model, app).map((other) => other.names),
    summary: code(description ? `/** ${comment(description)} */` : ''),
    options: code(rowOptions(model)),
    shown: rowProperties(model, app),
    sent: createProperties(model, app),
    sentOptions: code(createOptions(exampleBody(model, app))),
    shape: code(isShapeShared(model) ? `const shape = ${names.type}.properties;` : ''),
    changeable: code(changeableShape(model)),
    serverSet: serverSet(model),
    ...defaultsView(model, app),
  };
}

/** A policy that uses those of other models is read late, since those may use this one. */
function isPolicyLate(model: Model): boolean {
  const rules = [
    ...operations.map((name) => model.access[name]),
    ...fieldsWithRules(model).flatMap(({ read = [], write = [] }) => [read, write]),
  ];
  const asksOthers = rules.some((rule) => rule.some((entry) => isOfKind(entry, 'via', 'shares')));
  // Other policies may refer to a link and to members.
  const isKnown = [model.link, model.members].some((each) => each !== undefined);
  return asksOthers || isKnown || listAgreeingRelations(model).length > 0;
}

function rowOptions({ names, description, extensions }: Model): string {
  return tsObject({
    title: tsString(names.type),
    description: description === undefined ? undefined : tsString(description),
    ...tsValues(extensions),
  });
}

function rowProperties(model: Model, app: App) {
  return [
    ...model.fields
      .filter(({ hidden }) => !hidden)
      .map((field) => property(field.name, seen(field, typeCall(field, model, app)))),
    ...model.relations
      .filter(showsIds)
      .map((link) => property(link.idsField, seen(link, idList(link, app)))),
  ];
}

/** Optional if some viewers get the row without it. */
const seen = ({ read }: Pick<Field, 'read'>, type: string) =>
  read === undefined ? type : optionalType(type);

/** What a client may send: the owner, the times and the read-only fields are the server's. */
function createProperties(model: Model, app: App) {
  return [
    ...model.fields
      .filter((field) => isCreatable(field, model))
      .map((field) => createProperty(model, field, app)),
    ...writableLinks(model).map((link) =>
      property(link.idsField, optionalType(sentIds(link, app))),
    ),
  ];
}

const createOptions = (example: Readonly<Record<string, Json>>) =>
  tsObject({
    additionalProperties: 'false',
    examples: Object.keys(example).length === 0 ? undefined : tsValue([example]),
  });

/** Whether what clients send is described by what they are shown, as it is for all but hidden fields. */
function isShapeShared(model: Model): boolean {
  const hasShown = model.fields.some((field) => isCreatable(field, model) && isAlwaysShown(field));
  return hasShown || writableLinks(model).some(isAlwaysShown);
}

/** Whether every viewer gets it, so that it is in the shape of the row. */
const isAlwaysShown = ({ read, hidden = false }: Partial<Pick<Field, 'read' | 'hidden'>>) =>
  read === undefined && !hidden;

function createProperty(model: Model, field: Field, app: App) {
  if (isPassword(field)) return property(field.name, 't.Password');
  const type = isAlwaysShown(field) ? printShape(field.name) : typeCall(field, model, app);
  const isNeeded = isRequired(field) && !isAssignable(field, model);
  return property(field.name, isNeeded ? type : optionalType(type));
}

const sentIds = (link: LinksWithIds, app: App) =>
  isAlwaysShown(link) ? printShape(link.idsField) : idList(link, app);

function changeableShape(model: Model): string {
  const fixed = model.fields
    .filter((field) => isCreatable(field, model) && !isUpdatable(field))
    .map(({ name }) => name);
  const create = `Create${model.names.type}`;
  return fixed.length === 0 ? create : tsCall('Type.Omit', create, tsValue(fixed));
}

function serverSet(model: Model) {
  const members = model.fields.filter(isServerSet).map((field) => {
    const name = `${tsKey(field.name)}${isRequired(field) ? '' : '?'}`;
    const shown = `${model.names.type}[${tsString(field.name)}]`;
    return `${name}: ${isAlwaysShown(field) ? shown : valueType(field)};`;
  });
  return code(members.join('\n  '));
}

/** `t.fieldsOf(Post, CreatePost)`, with the fields that are in neither. */
function printFields(model: Model, app: App): string {
  const { type } = model.names;
  const inner = model.fields
    .filter(isInner)
    .map((field) => ({ name: tsKey(field.name), value: typeCall(field, model, app) }));
  return tsCall('t.fieldsOf', type, `Create${type}`, tsBlock(inner, '  '));
}

/** Neither sent nor shown. */
export const isInner = (field: Field) => field.hidden && isServerSet(field);

const optionalType = (type: string) => tsCall('Type.Optional', type);

const printShape = (name: string) => `shape.${name}`;
