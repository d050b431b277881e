import type { App, Endpoint, Model } from '../../model/app.ts';
import { code, textOf } from '../code.ts';
import { tsValue } from '../typescript.ts';
import { ownerKey } from './owner-key.ts';
import { accessTable, isAdmitted, readerOf } from './tests/access-table.ts';
import { createView, strangeValues } from './tests/create.ts';
import { exampleRows, isRequired, sentKeys, someOf, targetOf } from './tests/example-rows.ts';
import { hiddenNames, listView } from './tests/list.ts';
import {
  clientOf,
  entries,
  entry,
  madeOf,
  objectOf,
  properties,
  property,
} from './tests/printed.ts';
import { relationViews } from './tests/relations.ts';
import { updateView } from './tests/update.ts';

/** What `test/<folder>.test.ts` prints: requests and answers of the model, written out. */
export function modelTestView(model: Model, app: App) {
  const { names, endpoints, softDelete } = model;
  const has = (endpoint: Endpoint) => endpoints.includes(endpoint);
  const rows = exampleRows(model, app);
  const keys = sentKeys(model)
    .filter(isRequired)
    .map((key) => property(key.name, `${madeOf(targetOf(key, model, app))}.id`));
  const secrets = properties(rows.secrets);
  const isUser = names.type === 'User';
  const [shown] = Object.entries(rows.full);
  const reader = clientOf(readerOf(model, app));
  const promises = [
    ...(has('list') ? ['testList'] : []),
    ...(has('read') ? ['testRow'] : []),
    ...(has('update') ? ['testVersions'] : []),
  ];
  const isBriefUsed = has('create') || has('list');
  const update = has('update') && updateView(model, rows, app);
  return {
    ...names,
    path: `${app.apiPrefix}/${model.path}/`,
    isUser,
    fullType: code(someOf(model, rows.full)),
    full: properties(rows.full),
    brief: isBriefUsed &&
      rows.brief !== undefined && {
        values: properties(rows.brief),
        type: code(someOf(model, rows.brief)),
      },
    secrets: has('create') && secrets,
    keys: has('create') && keys,
    access: accessTable(model, app),
    row: code(rowOf(model)),
    usesPointers: has('create') || has('update'),
    guardsRoles: isUser && isAdmitted('owner', 'update', model),
    reader,
    readerCall: code(textOf(reader).replace('await ', '')),
    refused: (has('create') || has('update')) && entries(strangeValues(model)),
    promises: promises.length > 0 && code(promises.join(', ')),
    create: has('create') && createView(model, rows, app),
    read: has('read') && {
      fields: shown?.[0] ?? 'id',
      answer: objectOf(['id', ...(shown ? [entry(shown[0], tsValue(shown[1]))] : [])]),
      hidden: hiddenNames(model) ?? false,
    },
    list: has('list') && listView(model, rows),
    relations: has('list') ? relationViews(model, app) : [],
    update,
    delete: has('delete') && { holder: holderOf(model, app) ?? false },
    restore: has('delete') && softDelete,
    listsDeleted: has('list') && has('delete') && softDelete,
  };
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
