import type { App, Endpoint, Model } from '../../model/app.ts';
import { code } from '../code.ts';
import { tsObject, tsString } from '../typescript.ts';
import { ownerKey } from './owner-key.ts';

/** What `test/<folder>.test.ts` prints: the model's behaviours, and what each visitor is answered. */
export function modelTestView(model: Model, app: App) {
  const { names, endpoints } = model;
  const holder = holderOf(model, app);
  const shown = behaviours.filter(({ isShown }) => isShown(model));
  return {
    ...names,
    holder: holder?.model.names ?? false,
    behaviours: shown,
    calls: shown.filter(({ file }) => file !== 'access'),
    subject: subjectProperties(model, app).map(([name, value]) => ({ name, value: code(value) })),
    access: operations
      .filter((operation) => endpoints.includes(operation))
      .map((operation) => ({ operation, answers: code(answersTo(operation, model, app)) })),
  };
}

const operations = ['list', 'read', 'create', 'update', 'delete'] as const;

const has = (endpoint: Endpoint) => (model: Model) => model.endpoints.includes(endpoint);

/** Files of `test/behaviours/` with the test that each exports. */
const behaviours = [
  { file: 'access', test: 'testAccess', isShown: () => true },
  { file: 'create', test: 'testCreate', isShown: has('create') },
  { file: 'delete', test: 'testDelete', isShown: has('delete') },
  { file: 'list', test: 'testList', isShown: has('list') },
  { file: 'query', test: 'testQuery', isShown: has('list') },
  { file: 'read', test: 'testRead', isShown: has('read') },
  {
    file: 'restore',
    test: 'testRestore',
    isShown: (model: Model) => model.softDelete && has('delete')(model),
  },
  { file: 'update', test: 'testUpdate', isShown: has('update') },
];

function subjectProperties(model: Model, app: App): readonly (readonly [string, string])[] {
  const { names, path } = model;
  const owner = ownerKey(model);
  const holder = holderOf(model, app);
  return [
    ['resource', names.variablePlural],
    ['path', tsString(`${app.apiPrefix}/${path}/`)],
    ...(owner === undefined ? [] : [['owner', tsString(owner)] as const]),
    ['create', `Create${names.type}`],
    ['update', `Update${names.type}`],
    ...(holder === undefined
      ? []
      : [
          [
            'heldBy',
            tsObject({ resource: holder.model.names.variablePlural, key: tsString(holder.key) }),
          ] as const,
        ]),
  ];
}

/** A model whose rows keep those of this one from being deleted. */
function holderOf(model: Model, app: App) {
  if (model.softDelete) return undefined;
  return app.models
    .filter((other) => other !== model)
    .flatMap((other) => other.relations.map((relation) => ({ model: other, relation })))
    .flatMap(({ model: other, relation }) =>
      relation.kind === 'one' &&
      relation.target === model.names.type &&
      relation.onDelete === 'restrict'
        ? [{ model: other, key: relation.key }]
        : [],
    )[0];
}

/** `{ public: 401, owner: 200, user: 403, admin: 200 }` */
function answersTo(operation: Endpoint, model: Model, app: App): string {
  const isOwned = model.owner !== undefined || model.names.type === 'User';
  const visitors = ['public', ...(isOwned ? ['owner'] : []), ...app.roles];
  return tsObject(
    Object.fromEntries(visitors.map((visitor) => [visitor, answerTo(visitor, operation, model)])),
  );
}

/** In the order in which the server looks: is there a token, is the row seen, is the operation allowed. */
function answerTo(visitor: string, operation: Endpoint, model: Model): string {
  const may = (wanted: Endpoint) => isAdmitted(visitor, wanted, model);
  if (visitor === 'public' && !may(operation)) return '401';
  if (operation === 'list' || operation === 'create') {
    if (may(operation)) return successes[operation];
    return operation === 'list' && isRowRule(model.access.list) ? "'hidden'" : '403';
  }
  if (!may('read')) return '404';
  return may(operation) ? successes[operation] : '403';
}

const successes = { list: "'shown'", read: '200', create: '201', update: '200', delete: '204' };

/** The owner has the role of every user; who creates a row is going to own it. */
function isAdmitted(visitor: string, operation: Endpoint, { access }: Model): boolean {
  const words = access[operation];
  if (words.includes('public') || visitor === 'admin') return true;
  if (visitor === 'public') return false;
  if (words.includes('authenticated') || (operation === 'create' && words.includes('owner')))
    return true;
  return visitor === 'owner' ? isRowRule(words) || words.includes('user') : words.includes(visitor);
}

const isRowRule = (words: readonly string[]) => words.includes('owner') || words.includes('self');
