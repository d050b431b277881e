import type { App, Endpoint, Model } from '../../model/app.ts';
import { code, textOf, tsObject, tsValue, tsValues } from '../typescript.ts';
import { ownerKey } from './field-type.ts';
import { accessTable, isAdmitted, readerOf } from './tests/access-table.ts';
import { createView, strangeValues } from './tests/create.ts';
import { exampleRows, isRequired, sentKeys, someOf, targetOf } from './tests/example-rows.ts';
import { fieldRulesView } from './tests/field-rules.ts';
import { listView } from './tests/list.ts';
import { clientOf, entries, entry, madeOf, objectOf } from './tests/printed.ts';
import { relationViews } from './tests/relations.ts';
import { updateView } from './tests/update.ts';

/** What `test/<folder>.test.ts` prints: requests and answers of the model, written out. */
export function modelTestView(model: Model, app: App) {
  const { names, endpoints, softDelete } = model;
  const has = (endpoint: Endpoint) => endpoints.includes(endpoint);
  const rows = exampleRows(model, app);
  const [shown] = Object.entries(rows.full);
  const ruled = fieldRulesView(model, rows, app);
  const update = has('update') && updateView(model, rows, app);
  const isTaken = update !== false && update.taken !== false;
  const list = has('list') && listView(model, rows, app);
  const relations = has('list') ? relationViews(model, app) : [];
  const isTried =
    endpoints.some((it) => it !== 'list') || (list !== false && list.hidden !== false);
  const usesAdmin = isTried || relations.some(({ viewer }) => textOf(viewer) === 'admin');
  const usesCases = isTried || relations.length > 0;
  const reader = clientOf(readerOf(model, app));
  const isUser = names.type === 'User';
  return {
    ...names,
    path: `${app.apiPrefix}/${model.path}/`,
    imports: importsOf(model, { isRuled: ruled !== false, usesAdmin, usesCases }),
    usesAdmin,
    constants: constantsOf(model, app, has('create') || has('list') || isTaken),
    body: code(bodyOf(model, app)),
    row: code(rowOf(model)),
    access: accessTable(model, app),
    ruled,
    brief: rows.brief !== undefined,
    reader,
    readerCall: code(textOf(reader).replace('await ', '')),
    create: has('create') && createView(model, rows, app),
    read: has('read') && {
      fields: shown?.[0] ?? 'id',
      answer: objectOf(['id', ...(shown ? [entry(shown[0], tsValue(shown[1]))] : [])]),
    },
    list,
    relations,
    update,
    guardsRoles: isUser && isAdmitted('owner', 'update', model),
    delete: has('delete') && { holder: holderOf(model, app) ?? false },
    listsDeleted: has('list') && has('delete') && softDelete,
  };
}

interface Uses {
  readonly isRuled: boolean;
  /** Whether a test is written out, and not one of those that all models share. */
  readonly usesCases: boolean;
  readonly usesAdmin: boolean;
}

function importsOf({ names, endpoints }: Model, { isRuled, usesCases, usesAdmin }: Uses) {
  const isWritten = endpoints.includes('create') || endpoints.includes('update');
  const promises = [
    ...(endpoints.includes('list') ? ['testList'] : []),
    ...(endpoints.includes('read') ? ['testRow'] : []),
    ...(endpoints.includes('update') ? ['testVersions'] : []),
  ];
  const all: readonly (readonly [from: string, names: string])[] = [
    ['node:timers/promises', endpoints.includes('update') ? '{ setTimeout as sleep }' : ''],
    ['vitest', `{ ${usesAdmin ? 'beforeEach, ' : ''}describe${usesCases ? ', expect, it' : ''} }`],
    [`../src/${names.folder}/schema.ts`, `type { New${names.type} }`],
    ['./access.ts', isRuled ? '{ testAccess, testFields }' : '{ testAccess }'],
    ['./app.ts', `{ startTestApp${usesAdmin ? ', type SignedIn' : ''} }`],
    ['./client.ts', isWritten ? '{ pointers, pointersTo }' : ''],
    ['./promises.ts', promises.length > 0 ? `{ ${promises.join(', ')} }` : ''],
  ];
  return all
    .filter(([, imported]) => imported !== '')
    .map(([from, imported]) => ({ from: code(from), names: code(imported) }));
}

/** What the tests send, each with what is to be said about it. */
function constantsOf(model: Model, app: App, usesBrief: boolean) {
  const { full, brief, secrets } = exampleRows(model, app);
  const has = (endpoint: Endpoint) => model.endpoints.includes(endpoint);
  const typed = (name: string, row: typeof full) =>
    `const ${name} = ${tsObject(tsValues(row))} satisfies ${someOf(model, row)};`;
  const keys = has('create') ? keysOf(model, app) : [];
  const all: readonly (readonly [about: string, declaration: string])[] = [
    ['All that a client may send, but for ids of other rows.', typed('full', full)],
    ['What it must send.', brief && usesBrief ? typed('brief', brief) : ''],
    [
      'What is sent and never shown.',
      has('create') && Object.keys(secrets).length > 0
        ? `const secrets = ${tsObject(tsValues(secrets))};`
        : '',
    ],
    [
      `What a ${model.names.human} must point to.`,
      keys.length > 0 ? `async function keys() {\n  return ${textOf(objectOf(keys))};\n}` : '',
    ],
    [
      'What no client may write.',
      has('create') || has('update')
        ? `const refused = ${textOf(entries(strangeValues(model)))};`
        : '',
    ],
  ];
  return all
    .filter(([, declaration]) => declaration !== '')
    .map(([about, declaration]) => ({ about, declaration: code(declaration) }));
}

function keysOf(model: Model, app: App): readonly string[] {
  return sentKeys(model)
    .filter(isRequired)
    .map((key) => entry(key.name, `${madeOf(targetOf(key, model, app))}.id`));
}

/** Makes a body that anybody may send: roles are given by admins only. */
function bodyOf(model: Model, app: App): string {
  if (model.names.type === 'User') return '() => api.make.registration()';
  const { secrets } = exampleRows(model, app);
  const isWritten = model.endpoints.includes('create');
  const parts = [
    '...full',
    ...(isWritten && Object.keys(secrets).length > 0 ? ['...secrets'] : []),
    ...(isWritten && keysOf(model, app).length > 0 ? ['...(await keys())'] : []),
  ];
  return `async () => ${parts.length === 1 ? 'full' : `(${textOf(objectOf(parts))})`}`;
}

/** A row that belongs to somebody, where rows of the model do. */
function rowOf(model: Model): string {
  const owner = ownerKey(model);
  if (model.names.type === 'User') return 'async (owner) => owner';
  const make = `api.make.${model.names.variable}`;
  return owner === undefined
    ? `() => ${make}(full)`
    : `(owner) => ${make}({ ...full, ${entry(owner, 'owner.id')} })`;
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
        ? [{ ...other.names, key: relation.key, made: code(`api.make.${other.names.variable}`) }]
        : [],
    )[0];
}
