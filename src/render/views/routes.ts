import { hasOwnCreateResponse, mayCreateUnreadable, needsAccount } from '../../model/access.ts';
import { type App, isPassword, type Model } from '../../model/app.ts';
import { hasAccounts, hasPasswords } from '../../model/app-features.ts';
import { findFieldByRole, getId } from '../../model/lookups.ts';
import { findAssigners, findOwnerKey } from '../../model/writing.ts';
import type { Operation } from '../../schema/language.ts';
import { code, tsCall, tsKey, tsObject, tsString, tsValue } from '../typescript.ts';
import { byEndpoint, type EndpointStep, endpointSteps } from './endpoints.ts';

/** What `src/<folder>/routes.ts` prints: each operation with its guards. */
export function routesView(model: Model, app: App) {
  const present = endpointSteps(model);
  const handlers = present.map(({ operation }) =>
    operation === 'remove' ? 'delete: remove' : operation,
  );
  const owner = printOwner(model, app);
  const row = `rowRequest(request, ${model.names.variablePlural}, ${chooseKeyParser(model)})`;
  return {
    ...model.names,
    ...byEndpoint(present, (step) => printOptions(model, app, step)),
    operations: code(handlers.join(', ')),
    owner: code(owner),
    ...printCreation(model),
    values: code(owner === '' ? 'request.body' : 'values'),
    shapes: code(printShapes(model)),
    // Where there are passwords, a user is made with a hash of one.
    creators: code(model.fields.some(isPassword) ? 'app.database, app.hasher' : 'app.database'),
    row: code(row),
  };
}

/** `{ row: Post, create: CreatePost, update: UpdatePost }`, and what a maker is answered where that is not the row. */
function printShapes(model: Model): string {
  const { type } = model.names;
  const given = {
    isUnread: mayCreateUnreadable(model) ? 'true' : undefined,
    secret: model.link && tsString(model.link.secret),
  };
  const created = hasOwnCreateResponse(model)
    ? tsCall('createdAnswer', tsObject(given))
    : undefined;
  return tsObject({ row: type, create: `Create${type}`, update: `Update${type}`, created });
}

/** What making a row gives, and what is answered: where it has a link, the secret once. */
function printCreation({ link, names }: Model) {
  const row = ['reply', names.variablePlural, 'row'];
  if (link === undefined) return { made: code('row'), answered: code(row.join(', ')) };
  const key = tsKey(link.secret);
  const once = `{ ${key}: secret }`;
  return {
    made: code(`{ ${key}: secret, ...row }`),
    answered: code([...row, once].join(', ')),
  };
}

/** Of a row that is made, the owner is who asks, unless somebody may name another one. */
function printOwner(model: Model, app: App): string {
  const key = model.endpoints.includes('create') ? findOwnerKey(model) : undefined;
  if (key === undefined) return '';
  const isForAll = chooseHook(model, app, 'create') === 'identify';
  const owner = `${tsKey(key)}: ${isForAll ? 'request.user?.id ?? null' : 'currentUser(request).id'}`;
  const values =
    findAssigners(model) === undefined ? ['...request.body', owner] : [owner, '...request.body'];
  return `const values = { ${values.join(', ')} };`;
}

/** `identify` lets everybody in and says who it is, `authenticate` asks for a token. */
function chooseHook(model: Model, app: App, endpoint: Operation): 'identify' | 'authenticate' {
  return needsAccount(model, app, endpoint) ? 'authenticate' : 'identify';
}

/** `{ onRequest: app.authenticate, schema: create }` */
const printOptions = (model: Model, app: App, { endpoint, operation }: EndpointStep) =>
  code(
    tsObject({
      onRequest: hasAccounts(app) ? `app.${chooseHook(model, app, endpoint)}` : undefined,
      schema: operation,
    }),
  );

/** What `src/lib/request.ts` prints: how the ids in paths are read, of those kinds that there are. */
export function idsView({ models }: App) {
  const parsers = new Set(models.map(chooseKeyParser));
  return {
    numberIds: parsers.has('parseId'),
    uuidIds: parsers.has('parseUuid'),
    textIds: parsers.has('parseTextKey'),
  };
}

function chooseKeyParser(model: Model): string {
  const { kind } = getId(model).type;
  if (kind === 'id') return 'parseId';
  return kind === 'uuid' ? 'parseUuid' : 'parseTextKey';
}

/** What `src/users/credentials.ts` prints. */
export function credentialsView(model: Model, app: App) {
  const passwords = hasPasswords(app);
  const deletedAt = findFieldByRole(model, 'deleted_at')?.column;
  return {
    table: model.table,
    columns: code(tsValue(['id', 'email', ...(passwords ? ['password'] : []), 'token_version'])),
    updatedAt: findFieldByRole(model, 'updated_at')?.column ?? '',
    // Leaves out the users who were deleted softly.
    living: code(deletedAt === undefined ? '' : `.where(${tsString(deletedAt)}, 'is', null)`),
    changedBy: passwords
      ? 'is changed by POST /auth/change-email'
      : 'can only be changed by another user who is an admin',
  };
}
