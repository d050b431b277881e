import { admits, rolesIn } from '../../model/access.ts';
import { type Endpoint, type Entry, type Field, isUser, type Model } from '../../model/app.ts';
import type { ModelNames } from '../../naming/name.ts';
import { operations } from '../../schema/schema.ts';
import { code, tsKey, tsString, tsCall, tsObject, tsValue } from '../typescript.ts';
import { inheritedNames, isInherited, ownerKey, ruledNames, sentLinks } from './field-type.ts';
import { isFilled } from './schema.ts';

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
    ['restore', 'delete', 'rowRequest', 'sendRow', 'restore'],
  ] as const
).map(([operation, endpoint, request, reply, verb]) => ({
  operation,
  endpoint,
  request,
  reply,
  query: ({ type, typePlural }: ModelNames) => verb + (verb === 'list' ? typePlural : type),
}));

/** What `src/<folder>/routes.ts` prints: for each operation the hook that guards it, or nothing. */
export function routesView(model: Model) {
  const present = steps.filter(
    ({ operation, endpoint }) =>
      has(model, endpoint) && (operation !== 'restore' || model.softDelete),
  );
  const hooks = steps.map((step) => [
    step.operation,
    present.includes(step) && hookOf(model, step.endpoint),
  ]);
  const handlers = present.map(({ operation }) =>
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
    operations: code(handlers.join(', ')),
    requests: inOrder([
      ...present.map(({ request }) => request),
      ...(asksUser ? ['currentUser'] : []),
      ...(namesRow ? [parserOf(model)] : []),
    ]),
    replies: inOrder(present.map(({ reply }) => reply)),
    queries: inOrder(present.map(({ query }) => query(model.names))),
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
function hookOf(model: Model, endpoint: Endpoint): 'identify' | 'authenticate' {
  return isPublic(model, endpoint) ? 'identify' : 'authenticate';
}

/** Reads the id in a path. */
const parserOf = ({ idType }: Model) => (idType === 'int' ? 'parseId' : 'parseUuid');
const has = (model: Model, endpoint: Endpoint) => model.endpoints.includes(endpoint);
const isPublic = (model: Model, endpoint: Endpoint) => admits(model.access[endpoint], 'public');
const inOrder = (list: readonly string[]) => code([...new Set(list)].toSorted().join(', '));

/** What `src/<folder>/queries.ts` prints. */
export function queriesView(model: Model) {
  const { names, softDelete, table, relations } = model;
  const links = sentLinks(model);
  const refers = links.length > 0 || relations.some(({ kind }) => kind === 'one');
  return {
    ...names,
    table,
    softDelete,
    refers,
    links: links.map(({ name, idsField }) => ({ relation: name, ids: idsField })),
    ...inputsOf(model),
    ...chains(model),
    scope: code(softDelete ? '{ viewer, deleted }' : '{ viewer }'),
    accessNames: list('admittedBy', ...(softDelete ? ['isAdmin'] : [])),
    rowNames: list(
      'defineFind',
      'type FindRow',
      ...(softDelete ? ['isDeleted'] : []),
      'type NewRow',
      'readRow',
      'requireAllowed',
      'requireChangeable',
      'requireCreator',
      ...(refers ? ['requireReferences'] : []),
      'requireWritable',
      'type RowRequest',
      'type RowScope',
      ...(links.length > 0 ? ['setLinks'] : []),
    ),
    schemaNames: list(
      `type New${names.type}`,
      `type ${names.type}`,
      `type ${names.type}Id`,
      ...(isUser(model) ? [`type Update${names.type}`] : []),
      `${names.variable}Defaults`,
      names.variablePlural,
    ),
  };
}

/** What becomes of what is sent: what is not a column of its name is taken out of the input; the rest is the row. */
function inputsOf(model: Model) {
  const { names, timestamps } = model;
  const ids = sentLinks(model).map(({ idsField }) => idsField);
  const renamed = model.fields.filter(({ name, column }) => name !== column);
  const columns = renamed.map(({ column }) => column);
  const spelled = renamed.map((field) => {
    const filled = ` = ${names.variable}Defaults().${field.column}`;
    return spelling(field) + (isFilled(field) ? filled : '');
  });
  // What changes a user is what a client sends.
  const changeable = isUser(model) ? renamed.filter(isChangeable) : renamed;
  const row = spelled.length + ids.length > 0 ? 'row' : 'input';
  const newType = `New${names.type}`;
  const inherited = inheritedNames(model).map(tsString).join(' | ');
  const created = inherited === '' ? newType : `${newType} | Omit<${newType}, ${inherited}>`;
  return {
    takes: row === 'row',
    taken: code(renamed.some(isInherited) ? '{ __proto__: null, ...input }' : 'input'),
    created: code(created),
    changed: code(`Partial<${created}>`),
    creating: list(...ids.map((name) => `${name} = []`), ...spelled, '...row'),
    changing: list(...ids, ...changeable.map(spelling), '...row'),
    inserted: list(
      `...${names.variable}Defaults()`,
      `...${row}`,
      ...columns,
      ...(isUser(model) ? ['password'] : []),
    ),
    updated: list(
      ...(timestamps ? ['updated_at: new Date().toISOString()'] : []),
      `...${row}`,
      ...changeable.map(({ column }) => column),
    ),
    changes: code(timestamps || row === 'input' ? 'input' : row),
  };
}

/** Queries that are one chain of calls; the layout breaks those that are too long for a line. */
function chains({ names, table, softDelete }: Model) {
  const from = `database.selectFrom(${tsString(table)})`;
  const deletedAt = tsString(`${table}.deleted_at`);
  const isListed = softDelete ? `.$call(isDeleted(${deletedAt}, deleted))` : '';
  const isThere = softDelete ? `.where(${deletedAt}, 'is', null)` : '';
  const admitted = (operation: string) =>
    `.$call(admittedBy(${names.variable}Policy.${operation}(viewer)))`;
  const changed = `open.updateTable(${tsString(table)})`;
  return {
    listed: code(`${from}${isListed}${admitted('list')}`),
    readable: code(
      `${from}.where(${tsString(`${table}.id`)}, '=', id)${isThere}${admitted('read')}`,
    ),
    removed: code(
      softDelete
        ? `${changed}.set({ deleted_at: new Date().toISOString() })${sameId('request.id')}.execute()`
        : `open.deleteFrom(${tsString(table)})${sameId('request.id')}.execute()`,
    ),
    restored: code(`${changed}.set({ deleted_at: null })${sameId('id')}.execute()`),
  };
}

const sameId = (id: string) => `.where('id', '=', ${id})`;

const isChangeable = ({ source, immutable }: Field) => source === 'client' && !immutable;
const spelling = ({ name, column }: Field) => `${tsKey(name)}: ${column}`;

const list = (...names: readonly string[]) => code(names.join(', '));

/** What `src/users/credentials.ts` prints. */
export function credentialsView({ table, softDelete }: Model) {
  // `living` leaves out the users who were deleted softly.
  return { table, softDelete, living: code(softDelete ? ".where('deleted_at', 'is', null)" : '') };
}

/** What `lib/access` offers, in the order of the import. */
const offered = ['anyOf', 'definePolicy', 'everyone', 'owner', 'role', 'self', 'signedIn'] as const;

/** What `src/<folder>/policy.ts` prints: the words of the schema as rules of `lib/access`. */
export function policyView(model: Model) {
  const rules = operations.map((name) => ({ name, ...ruleOf(model.access[name], model) }));
  const ruled = ruledNames(model).map(({ name, read, write }) => ({
    name,
    read: read && ruleOf(read, model),
    write: write && ruleOf(write, model),
  }));
  const fields = ruled.map(({ name, read, write }) => [
    name,
    tsObject({ read: read?.text, write: write?.text }),
  ]);
  const used = new Set([
    'definePolicy',
    ...[...rules, ...ruled.flatMap(({ read, write }) => [read, write])].flatMap(
      (rule) => rule?.uses ?? [],
    ),
  ]);
  const printed = [
    ...rules,
    ...(fields.length > 0 ? [{ name: 'fields', text: tsObject(Object.fromEntries(fields)) }] : []),
    ...(model.embed.length > 0 ? [{ name: 'embed', text: tsValue(model.embed) }] : []),
  ];
  return {
    humanPlural: model.names.humanPlural,
    policy: `${model.names.variable}Policy`,
    table: model.table,
    imports: code(offered.filter((name) => used.has(name)).join(', ')),
    rules: printed.map(({ name, text }) => ({ name: code(name), rule: code(text) })),
  };
}

/** A rule as it is printed, and what it takes from `lib/access`. */
function ruleOf(
  entries: readonly Entry[],
  model: Model,
): { text: string; uses: readonly (typeof offered)[number][] } {
  if (admits(entries, 'public')) return { text: 'everyone', uses: ['everyone'] };
  if (admits(entries, 'authenticated')) return { text: 'signedIn', uses: ['signedIn'] };
  const named = rolesIn(entries).filter((role) => role !== 'admin');
  const key = model.fields.find(({ name }) => name === ownerKey(model))?.column;
  const owned = admits(entries, 'owner') && key ? [tsCall('owner', tsString(key))] : [];
  const own = admits(entries, 'self') ? ['self'] : [];
  const isForAdmins = owned.length + own.length + named.length === 0;
  const roles = isForAdmins ? ['admin'] : named;
  const rules = [
    ...owned,
    ...own,
    ...(roles.length > 0 ? [tsCall('role', ...roles.map(tsString))] : []),
  ];
  return {
    text: rules.length > 1 ? tsCall('anyOf', ...rules) : rules.join(''),
    uses: [
      ...(rules.length > 1 ? (['anyOf'] as const) : []),
      ...(owned.length > 0 ? (['owner'] as const) : []),
      ...(own.length > 0 ? (['self'] as const) : []),
      ...(roles.length > 0 ? (['role'] as const) : []),
    ],
  };
}
