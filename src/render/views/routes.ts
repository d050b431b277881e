import { admits } from '../../model/access.ts';
import type { Endpoint, Model } from '../../model/app.ts';
import type { ModelNames } from '../../naming/name.ts';
import { code, tsKey } from '../typescript.ts';
import { ownerKey } from './field-type.ts';

/** One address of a model, and what its handler calls. */
interface Step {
  /** Its name in the template, where `delete` would be a word of the language. */
  readonly operation: 'list' | 'create' | 'read' | 'update' | 'remove' | 'restore';
  readonly endpoint: Endpoint;
  readonly request: string;
  readonly reply: string;
  query(names: ModelNames): string;
}

const steps: readonly Step[] = [
  {
    operation: 'list',
    endpoint: 'list',
    request: 'listRequest',
    reply: 'sendPage',
    query: ({ typePlural }) => `list${typePlural}`,
  },
  {
    operation: 'create',
    endpoint: 'create',
    request: 'newRow',
    reply: 'sendCreated',
    query: ({ type }) => `create${type}`,
  },
  {
    operation: 'read',
    endpoint: 'read',
    request: 'rowRequest',
    reply: 'sendRow',
    query: ({ type }) => `find${type}`,
  },
  {
    operation: 'update',
    endpoint: 'update',
    request: 'rowRequest',
    reply: 'sendRow',
    query: ({ type }) => `update${type}`,
  },
  {
    operation: 'remove',
    endpoint: 'delete',
    request: 'rowRequest',
    reply: 'sendNothing',
    query: ({ type }) => `delete${type}`,
  },
  {
    operation: 'restore',
    endpoint: 'delete',
    request: 'rowRequest',
    reply: 'sendRow',
    query: ({ type }) => `restore${type}`,
  },
];

/** What `src/<folder>/routes.ts` prints: for each operation the hook that guards it, or nothing. */
export function routesView(model: Model) {
  const present = steps.filter(
    ({ operation, endpoint }) =>
      has(model, endpoint) && (operation !== 'restore' || model.softDelete),
  );
  const hooks = steps.map((step) => [
    step.operation,
    present.includes(step) && hookOf(model, step),
  ]);
  const operations = present.map(({ operation }) =>
    operation === 'remove' ? 'delete: remove' : operation,
  );
  const key = has(model, 'create') ? ownerKey(model) : undefined;
  const ownerId = isPublic(model, 'create')
    ? 'request.user?.id ?? null'
    : 'currentUser(request).id';
  const asksUser = key !== undefined && !isPublic(model, 'create');
  const namesRow = present.some(({ request }) => request === 'rowRequest');
  const row = `rowRequest(request, ${model.names.variablePlural}, ${parserOf(model)})`;
  return {
    ...model.names,
    ...Object.fromEntries(hooks),
    operations: code(operations.join(', ')),
    requests: names([
      ...present.map(({ request }) => request),
      ...(asksUser ? ['currentUser'] : []),
      ...(namesRow ? [parserOf(model)] : []),
    ]),
    replies: names(present.map(({ reply }) => reply)),
    queries: names(present.map(({ query }) => query(model.names))),
    owner: key !== undefined && code(ownerFirst(model, `${tsKey(key)}: ${ownerId}`)),
    values: code(key === undefined ? 'request.body' : 'values'),
    // A user is made with a hash of the password.
    creators: code(isUser(model) ? 'app.database, app.hasher' : 'app.database'),
    row: code(row),
  };
}

/** The owner is who asks, unless somebody may name another one. */
function ownerFirst({ assign }: Model, owner: string): string {
  return assign === undefined ? `...request.body, ${owner}` : `${owner}, ...request.body`;
}

/** `identify` lets everybody in and says who it is, `authenticate` asks for a token. */
function hookOf(model: Model, { endpoint }: Step): 'identify' | 'authenticate' {
  return isPublic(model, endpoint) ? 'identify' : 'authenticate';
}

/** Reads the id in a path. */
const parserOf = ({ idType }: Model) => (idType === 'int' ? 'parseId' : 'parseUuid');
const isUser = (model: Model) => model.names.type === 'User';
const has = (model: Model, endpoint: Endpoint) => model.endpoints.includes(endpoint);
const isPublic = (model: Model, endpoint: Endpoint) => admits(model.access[endpoint], 'public');
const names = (list: readonly string[]) => code([...new Set(list)].toSorted().join(', '));
