import { isRestored, hasOwnAnswer, isUnread, needsAccount } from '../../model/access.ts';
import { type App, type Endpoint, fieldFor, isPassword, type Model } from '../../model/app.ts';
import type { ModelNames } from '../../naming/name.ts';
import type { Operation } from '../../schema/language.ts';
import { code, tsCall, tsKey, tsObject, tsString } from '../typescript.ts';
import { ownerKey } from './field-type.ts';

/**
 * Each address of a model, and what its handler calls. `operation` is its name in the template, where `delete` would be a
 * word of the language; the name of the query begins with `verb`.
 */
const steps = (
  [
    ['list', 'list', 'listRequest', 'sendPage', 'list'],
    ['create', 'create', 'newRow', 'sendCreated', 'create'],
    ['read', 'read', 'rowRequest', 'sendRow', 'find'],
    ['update', 'update', 'rowRequest', 'sendRow', 'update'],
    ['remove', 'delete', 'rowRequest', 'sendNothing', 'delete'],
    ['restore', 'restore', 'rowRequest', 'sendRow', 'restore'],
  ] as const
).map(([operation, endpoint, request, reply, verb]) => ({
  operation,
  endpoint,
  request,
  reply,
  query: ({ type, typePlural }: ModelNames) => verb + (verb === 'list' ? typePlural : type),
}));

/** What `src/<folder>/routes.ts` prints: for each operation the hook that guards it, or nothing. */
export function routesView(model: Model, app: App) {
  const present = steps.filter(({ endpoint }) =>
    endpoint === 'restore' ? isRestored(model) : has(model, endpoint),
  );
  const hooks = steps.map((step) => [
    step.operation,
    present.includes(step) && hookOf(model, app, step.endpoint),
  ]);
  const handlers = present.map(({ operation }) =>
    operation === 'remove' ? 'delete: remove' : operation,
  );
  const key = has(model, 'create') ? ownerKey(model) : undefined;
  const isForAll = hookOf(model, app, 'create') === 'identify';
  const ownerId = isForAll ? 'request.user?.id ?? null' : 'currentUser(request).id';
  const asksUser = key !== undefined && !isForAll;
  const namesRow = present.some(({ request }) => request === 'rowRequest');
  const row = `rowRequest(request, ${model.names.variablePlural}, ${parserOf(model)})`;
  return {
    ...model.names,
    ...Object.fromEntries(hooks),
    operations: code(handlers.join(', ')),
    requests: inOrder([
      ...present.map(({ request }) => request),
      ...(asksUser ? ['currentUser'] : []),
      ...(namesRow ? [parserOf(model)] : []),
    ]),
    replies: inOrder(present.map(({ reply }) => reply)),
    queries: inOrder(present.map(({ query }) => query(model.names))),
    owner: key !== undefined && code(ownerFirst(model, `${tsKey(key)}: ${ownerId}`)),
    ...creationOf(model),
    values: code(key === undefined ? 'request.body' : 'values'),
    shapes: code(shapesOf(model)),
    ownAnswer: hasOwnAnswer(model),
    // Where there are passwords, a user is made with a hash of one.
    creators: code(model.fields.some(isPassword) ? 'app.database, app.hasher' : 'app.database'),
    row: code(row),
  };
}

/** `{ row: Post, create: CreatePost, update: UpdatePost }`, and what a maker is answered where that is not the row. */
function shapesOf(model: Model): string {
  const { type } = model.names;
  const given = {
    isUnread: isUnread(model) ? 'true' : undefined,
    secret: model.link && tsString(model.link.secret),
  };
  const created = hasOwnAnswer(model) ? tsCall('createdAnswer', tsObject(given)) : undefined;
  return tsObject({ row: type, create: `Create${type}`, update: `Update${type}`, created });
}

/** What making a row gives, and what is answered: where it has a link, the secret once. */
function creationOf({ link, names }: Model) {
  const row = ['reply', names.variablePlural, 'row'];
  if (link === undefined) return { made: code('row'), answered: code(row.join(', ')) };
  const key = tsKey(link.secret);
  const once = `{ ${key}: secret }`;
  return {
    made: code(`{ ${key}: secret, ...row }`),
    answered: code([...row, once].join(', ')),
  };
}

/** The owner is who asks, unless somebody may name another one. */
function ownerFirst({ assign }: Model, owner: string): string {
  return assign === undefined ? `...request.body, ${owner}` : `${owner}, ...request.body`;
}

/** `identify` lets everybody in and says who it is, `authenticate` asks for a token. */
function hookOf(model: Model, app: App, endpoint: Operation): 'identify' | 'authenticate' {
  return needsAccount(model, app, endpoint) ? 'authenticate' : 'identify';
}

/** What `src/lib/request.ts` prints: how the ids in paths are read, of those kinds that there are. */
export function idsView({ models }: App) {
  const parsers = new Set(models.map(parserOf));
  const names = [
    ...(parsers.has('parseTextKey') ? ['isText'] : []),
    ...(parsers.has('parseId') ? ['maxId'] : []),
  ];
  return {
    valueNames: names.length > 0 && inOrder(names),
    numberIds: parsers.has('parseId'),
    uuidIds: parsers.has('parseUuid'),
    textIds: parsers.has('parseTextKey'),
  };
}

/** Reads the id in a path. */
function parserOf({ idType }: Model): string {
  if (idType === 'int') return 'parseId';
  return idType === 'uuid' ? 'parseUuid' : 'parseTextKey';
}

export const has = (model: Model, endpoint: Endpoint) => model.endpoints.includes(endpoint);
const inOrder = (list: readonly string[]) => code([...new Set(list)].toSorted().join(', '));

/** What `src/users/credentials.ts` prints. */
export function credentialsView(model: Model) {
  const deletedAt = fieldFor(model, 'deleted_at')?.column;
  return {
    table: model.table,
    deletedAt: deletedAt ?? false,
    updatedAt: fieldFor(model, 'updated_at')?.column ?? '',
    // Leaves out the users who were deleted softly.
    living: code(deletedAt === undefined ? '' : `.where(${tsString(deletedAt)}, 'is', null)`),
  };
}
