import { type App, type Endpoint, hasAccounts, type Model } from '../../model/app.ts';
import { code, linesOf, textOf, tsObject, tsValues } from '../typescript.ts';
import { ownerKey } from './field-type.ts';
import { agreementViews, requiredAgreeing } from './tests/agreeing.ts';
import { accessTable, firstAnswers, lastView, readerOf } from './tests/access-table.ts';
import { createView, strangeValues } from './tests/create.ts';
import { fieldRulesView } from './tests/field-rules.ts';
import { updateView } from './tests/update.ts';
import { exampleRows, isRequired, sentKeys, someOf, targetOf } from './tests/example-rows.ts';
import { listView } from './tests/list.ts';
import { relationViews } from './tests/relations.ts';
import { linkView, sharesView } from './tests/people.ts';
import { tiesTo, tieView } from './tests/standing.ts';
import { statesOf } from './tests/states.ts';
import { oddTimes } from './times.ts';
import { judge } from './tests/verdict.ts';
import { clientOf, entries, entry, madeOf, objectOf } from './tests/printed.ts';

/** What `test/<folder>.test.ts` prints: requests and answers of the model, written out. */
export function modelTestView(model: Model, app: App) {
  const { names, endpoints, softDelete } = model;
  const has = (endpoint: Endpoint) => endpoints.includes(endpoint);
  const rows = exampleRows(model, app);
  const ruled = fieldRulesView(model, rows, app);
  const tied = tiesTo(model, app).map((tie) => tieView(tie, model, app));
  const ties = tied.filter(({ join }) => join === undefined);
  const joins = tied.filter(({ join }) => join !== undefined);
  const states = statesOf(model, app);
  const isGiven = ties.length + states.length > 0;
  const update = has('update') && updateView(model, rows, app);
  const isTaken = update !== false && update.taken !== false;
  const list = has('list') && listView(model, rows, app);
  const relations = has('list') ? relationViews(model, app) : [];
  const reader = clientOf(readerOf(model, app));
  const isUser = names.type === 'User';
  const link = linkView(model, app);
  const shares = sharesView(model, app);
  const agreements = agreementViews(model, app);
  const keepsAdmins = isUser && update !== false;
  const guardsRoles = keepsAdmins && changesItself(model, app);
  const isHiding = list !== false && list.hidden !== false;
  const promises = [
    'testAccess',
    ...(isHiding ? ['testHidden'] : []),
    ...(has('list') ? ['testList'] : []),
    ...(relations.length > 0 ? ['testRelation'] : []),
    ...(has('read') ? ['testRow'] : []),
  ];
  const writes = [
    ...(has('create') ? ['testCreate'] : []),
    ...(has('delete') ? ['testDelete'] : []),
    ...(has('update') ? ['testUpdate'] : []),
  ];
  const create = has('create') && createView(model, rows, app);
  const told = model.link && has('create') && entry(model.link.secret, 'expect.any(String)');
  const last = lastView(model, app);
  const isTesting = keepsAdmins || last !== undefined;
  const isExpecting = isTesting || (create && create.isExpecting) || told !== undefined;
  const imported = ['describe', ...(isExpecting ? ['expect'] : []), ...(isTesting ? ['it'] : [])];
  return {
    ...names,
    path: `${app.apiPrefix}/${model.path}/`,
    idType: code(model.idType === 'int' ? 'number' : 'string'),
    imports: linesOf(
      `import { ${imported.join(', ')} } from 'vitest';`,
      `import type { New${names.type} } from '../src/${names.folder}/schema.ts';`,
      ...(agreements.length > 0 ? ["import { testAgreement } from './agreement.ts';"] : []),
      "import { startTestApp } from './app.ts';",
      ...(ruled ? ["import { testFields } from './fields.ts';"] : []),
      `import { ${promises.join(', ')} } from './promises.ts';`,
      ...(link ? ["import { testLink } from './link.ts';"] : []),
      ...(shares ? ["import { testShares } from './shares.ts';"] : []),
      ...(writes.length > 0 ? [`import { ${writes.join(', ')} } from './writes.ts';`] : []),
    ),
    constants: code(constantsOf(model, app, has('create') || has('list') || isTaken).join('\n\n')),
    body: code(bodyOf(model, app, isGiven)),
    tiedRow: code(rowOf(model, isGiven)),
    row: code(rowOf(model)),
    told: told && code(`{ ${told} }`),
    link,
    shares,
    agreements,
    createBody: create && create.body,
    ties,
    joins,
    first: firstAnswers(model, app),
    last: last && {
      ...last,
      sent: code(bodyOf(model, app).replace(/^async \(\) => \(?|\)$/g, '')),
    },
    access: accessTable(model, app),
    states: states.length > 0 && code(`[${states.join(', ')}]`),
    ruled,
    brief: rows.brief !== undefined,
    reader,
    readerCall: code(textOf(reader).replace('() => ', '')),
    create,
    read: has('read') && { field: Object.keys(rows.full)[0] ?? 'id' },
    list,
    relations: relations.map((it) => ({ ...it, accounts: hasAccounts(app) })),
    update,
    keepsAdmins,
    guardsRoles,
    delete: has('delete') && { holder: holderOf(model, app) ?? false },
    times: oddTimes(model, app) ?? { stamp: false, deletion: false },
    listsDeleted: has('list') && has('delete') && softDelete,
  };
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
      keys.length > 0
        ? `async function keys() {\n${keySteps(model, app)}  return ${textOf(objectOf(keys))};\n}`
        : '',
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
    .map(([about, declaration]) => `/** ${about} */\n${declaration}`);
}

function keysOf(model: Model, app: App): readonly string[] {
  const { ids } = requiredAgreeing(model, app);
  return sentKeys(model)
    .filter(isRequired)
    .map((key) => {
      const made = `${madeOf(targetOf(key, model, app))}.id`;
      return entry(key.name, ids.get(key.relation ?? '') ?? made);
    });
}

/** What is made before, so that keys agree. */
const keySteps = (model: Model, app: App) =>
  requiredAgreeing(model, app)
    .steps.map((step) => `  ${step}\n`)
    .join('');

/** Makes a body that anybody may send: roles are given by admins only. */
function bodyOf(model: Model, app: App, isTied = false): string {
  if (model.names.type === 'User') return '() => api.make.registration()';
  const { secrets } = exampleRows(model, app);
  const isWritten = model.endpoints.includes('create');
  const parts = [
    '...full',
    ...(isWritten && Object.keys(secrets).length > 0 ? ['...secrets'] : []),
    ...(isWritten && keysOf(model, app).length > 0 ? ['...(await keys())'] : []),
    ...(isTied ? ['...tie'] : []),
  ];
  return `async (${isTied ? 'tie' : ''}) => ${parts.length === 1 ? 'full' : `(${textOf(objectOf(parts))})`}`;
}

/** A row that belongs to somebody, where rows of the model do. */
function rowOf(model: Model, isTied = false): string {
  const owner = ownerKey(model);
  if (model.names.type === 'User') return 'async (owner) => owner';
  const make = `api.make.${model.names.variable}`;
  if (owner === undefined && !isTied) return `() => ${make}(full)`;
  const parts = [
    '...full',
    ...(owner === undefined ? [] : [entry(owner, 'owner.id')]),
    ...(isTied ? ['...tie'] : []),
  ];
  return `(${owner === undefined ? '_owner' : 'owner'}${isTied ? ', tie' : ''}) => ${make}(${textOf(objectOf(parts))})`;
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

/** Whether a user who changes themselves is let in. */
const changesItself = (model: Model, app: App) =>
  judge(model.access.update, { visitor: 'owner', operation: 'update', model, app }) === true;
