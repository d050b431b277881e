import { InternalError } from '../../errors.ts';
import {
  type App,
  type Field,
  isIdList,
  isUser,
  type Json,
  type Model,
  modelOf,
  toOneOf,
} from '../../model/app.ts';
import { fieldTypes } from '../../types/all.ts';
import { isMadeKey, type KeyKind, madeKeys } from '../../types/keys.ts';
import { code, tsCall, tsObject, tsString, tsValue, tsValues } from '../typescript.ts';
import { sentLinks } from './field-type.ts';
import { hasUsualTimes } from './times.ts';
import { exampleValues } from './tests/example-values.ts';

/** What `seeds/seed.ts` prints: what each column of each table holds. */
export function seedView(app: App) {
  const order = insertionOrder(app);
  const joints = order.flatMap((model) =>
    sentLinks(model).map(({ table, column, targetColumn, target }) => ({
      name: table,
      leading: tsObject({
        [column]: tsString(model.table),
        [targetColumn]: tsString(modelOf(target, app)?.table ?? ''),
      }),
    })),
  );
  return {
    tables: order.map((model) => ({
      name: model.table,
      human: model.names.human,
      ...columnsOf(model, app),
    })),
    joints: joints.map(({ name, leading }) => ({ name, leading: code(leading) })),
    userTable: order.find(isUser)?.table ?? '',
    imported: code(joints.length > 0 ? 'links, table' : 'table'),
  };
}

/** A line each. Ids of their own and times are added where they stand. */
function columnsOf(model: Model, app: App) {
  const isStamped = hasUsualTimes(model, app);
  const isDrawn = ({ role }: Field) =>
    role === 'declared' || role === 'key' || (/^(created|updated)_at$/.test(role) && !isStamped);
  const drawn = model.fields.filter(isDrawn);
  return {
    first: [...idColumn(model), ...(isUser(model) ? ['...draw.account(enums.Role),'] : [])].map(
      code,
    ),
    columns: drawn.map((field) => ({
      name: field.column,
      value: code(columnCall(model, field, app)),
    })),
    isStamped,
  };
}

/** A key that is a text looks like those that the server makes, or like a slug. */
function idColumn({ idType, fields }: Model): readonly string[] {
  if (idType === 'int') return [];
  if (idType === 'uuid') return ['id: draw.id(),'];
  const text = tsCall('draw.text', tsObject(tsValues(lookOf(idType, fields[0]))));
  return [`id: ${tsCall('draw.unique', text)},`];
}

function lookOf(idType: KeyKind, id: Field | undefined): Readonly<Record<string, Json>> {
  if (!isMadeKey(idType)) {
    const max = Number(id?.max);
    return { max, code: 'the-first-snow'.slice(0, max) };
  }
  const { sample, pattern } = madeKeys[idType];
  const { prefix = '' } = id?.default?.kind === 'key' ? id.default : {};
  return { code: prefix + sample, pattern: `^${prefix}${pattern}$` };
}

/** `draw.maybe(draw.text({ max: 60 }))` */
function columnCall(model: Model, field: Field, app: App): string {
  const relation = toOneOf(model, field.relation);
  const call = relation === undefined ? valueCall(model, field, app) : keyCall(relation, app);
  const { nullable, default: initial } = field;
  const isKnown = initial?.kind === 'literal';
  return [
    (text: string) => (initial?.kind === 'now' ? tsCall('draw.past', text) : text),
    (text: string) => (isKnown ? `draw.usually(${tsValue(initial.value)}, ${text})` : text),
    (text: string) => (isDistinct(field, model) ? tsCall('draw.unique', text) : text),
    (text: string) => (nullable ? tsCall('draw.maybe', text) : text),
  ].reduce((text, wrap) => wrap(text), call);
}

function keyCall({ name, target }: { name: string; target: string }, app: App): string {
  const role = target === 'User' ? app.roles.find((each) => each === name) : undefined;
  const table = modelOf(target, app)?.table ?? '';
  return tsCall('draw.row', tsString(table), role && tsString(role));
}

function valueCall(model: Model, field: Field, app: App): string {
  const { type, min, max } = field;
  const { details, lengths } = fieldTypes[type.kind];
  if (type.kind === 'json') return `draw.json(${shapeOf(field) ?? ''})`;
  const isText = type.kind === 'string' || type.kind === 'text' || field.pattern !== undefined;
  const name = isText ? 'text' : type.kind === 'enum' ? 'oneOf' : type.kind.replace('[]', 'List');
  const bounds = {
    min: min === undefined ? undefined : tsValue(min),
    max: max === undefined || max === lengths?.most ? undefined : tsValue(max),
    ...(isText && textRules(model, field, app)),
  };
  return tsCall(`draw.${name}`, ...Object.values(details?.(type) ?? {}), tsObject(bounds));
}

/** A pattern, and what texts look like that match it. */
function textRules(model: Model, field: Field, app: App) {
  const { pattern, example } = field;
  const isCode = typeof example === 'string' && /^\S*\d\S*$/.test(example);
  if (pattern === undefined && !isCode) return {};
  const like = pattern === undefined ? [] : exampleValues(model, field, app).slice(0, 3);
  return {
    pattern: pattern && tsString(pattern),
    code: isCode ? tsValue(example) : undefined,
    like: isCode || like.length === 0 ? undefined : tsValue(like),
  };
}

/** What JSON looks like, by its default or an example. */
function shapeOf({ default: initial, example }: Field): string | undefined {
  const shape = initial?.kind === 'literal' ? initial.value : example;
  return shape === undefined || shape === null ? undefined : tsValue(shape);
}

/** Whether no two rows may hold the same; a text makes more of a difference than what it stands beside. */
function isDistinct({ name, unique, type }: Field, model: Model): boolean {
  const isText = fieldTypes[type.kind].range === 'characters';
  return (
    unique ||
    model.unique.some(({ fields }) => fields.includes(name) && (isText || fields.length === 1))
  );
}

/** Models in an order in which rows can be made: what a row must point to comes before it, and what it may, where that can be. */
function insertionOrder(app: App): readonly Model[] {
  const ordered = new Set<string>();
  const isReady = (model: Model, targets: (model: Model) => readonly string[]) =>
    targets(model).every((type) => ordered.has(type) || type === model.names.type);
  const remaining = new Set(app.models);
  const models: Model[] = [];
  while (remaining.size > 0) {
    const ready = [...remaining].filter((model) => isReady(model, required));
    const next = ready.find((model) => isReady(model, referred)) ?? ready[0];
    if (next === undefined) throw new InternalError('Required relations run in a circle.');
    remaining.delete(next);
    ordered.add(next.names.type);
    models.push(next);
  }
  return models;
}

function required({ relations }: Model): readonly string[] {
  return relations.flatMap((relation) =>
    relation.kind === 'one' && !relation.optional ? [relation.target] : [],
  );
}

function referred({ relations }: Model): readonly string[] {
  return relations.flatMap((relation) =>
    relation.kind === 'one' || isIdList(relation) ? [relation.target] : [],
  );
}
