import { InternalError } from '../../errors.ts';
import {
  type App,
  type Endpoint,
  type Entry,
  type Field,
  isPassword,
  type Json,
  type Model,
} from '../../model/app.ts';
import {
  code,
  linesOf,
  textOf,
  tsObject,
  tsValue,
  tsValues,
  tsCall,
  tsString,
} from '../typescript.ts';
import { inheritedNames, isGivenKey, isInherited, ownerKey } from './field-type.ts';
import { agreementViews, requiredAgreeing } from './tests/agreeing.ts';
import { accessTable, isOwnToWrite, readerOf } from './tests/access-table.ts';
import { createView, strangeValues, fieldRulesView, updateView } from './tests/create.ts';
import {
  exampleRows,
  isRequired,
  sentKeys,
  someOf,
  targetOf,
  isLeftNull,
  isRoomy,
  isVaried,
  numbered,
  testPassword,
} from './tests/example-rows.ts';
import { inputsOf } from './model.ts';
import { exampleValues } from './tests/example-values.ts';
import { isKnownOnlyWhenSent } from './tests/in-order.ts';
import { listView, relationViews } from './tests/list.ts';
import { linkView, sharesView } from './tests/people.ts';
import { tiesTo, tieView } from './tests/standing.ts';
import { oddTimes } from './times.ts';
import { judge } from './tests/verdict.ts';
import { clientOf, entries, entry, madeOf, objectOf } from './tests/printed.ts';

/** What `test/<folder>.test.ts` prints: requests and answers of the model, written out. */
export function modelTestView(model: Model, app: App) {
  const { names, endpoints, softDelete } = model;
  const has = (endpoint: Endpoint) => endpoints.includes(endpoint);
  const rows = exampleRows(model, app);
  const ruled = fieldRulesView(model, rows, app);
  const ties = tiesTo(model, app);
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
  const isExpecting = keepsAdmins || (create && create.isExpecting) || told !== undefined;
  const imported = ['describe', ...(isExpecting ? ['expect'] : []), ...(keepsAdmins ? ['it'] : [])];
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
    body: code(bodyOf(model, app, ties.length > 0)),
    tiedRow: code(rowOf(model, ties.length > 0)),
    row: code(rowOf(model)),
    told: told && code(`{ ${told} }`),
    link,
    shares,
    agreements,
    createBody: create && create.body,
    ties: ties.map((tie) => tieView(tie, model, app)),
    access: accessTable(model, app),
    ruled,
    brief: rows.brief !== undefined,
    reader,
    readerCall: code(textOf(reader).replace('() => ', '')),
    create,
    read: has('read') && { field: Object.keys(rows.full)[0] ?? 'id' },
    list,
    relations,
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

/** What `test/factory.ts` prints: how to make a row of each model, with what it must point to. */
export function factoryView(app: App) {
  const [user, ...others] = app.models.map((model) => factoryOf(model, app));
  if (user === undefined) throw new InternalError('There is no User.');
  const models = [user, ...others];
  return {
    password: testPassword,
    user,
    others,
    made: objectOf(['registration', ...models.map(({ made }) => made)]),
    imports: models.toSorted((left, right) => (left.folder < right.folder ? -1 : 1)),
    inserts: models.some(({ inserts }) => inserts),
    insertsLinks: models.some(({ inserts, links }) => inserts && links.length > 0),
    usesLists: models.some(({ usesLists }) => usesLists),
  };
}

function factoryOf(model: Model, app: App) {
  const { names } = model;
  const isUser = names.type === 'User';
  const fields = model.fields
    .filter((field) => isMade(field, model))
    .map((field) => ({ field, text: entry(field.name, valueOf(field, model, app)) }));
  const textsOf = (isWanted: (field: Field) => boolean) =>
    fields.filter(({ field }) => isWanted(field)).map(({ text }) => text);
  return {
    ...names,
    ...inputsOf(model),
    // What no client makes has no function for it.
    creates: isUser || model.endpoints.includes('create'),
    inserts: !isUser && !model.endpoints.includes('create'),
    types: code(isUser ? `Create${names.type}, New${names.type}` : `New${names.type}`),
    table: model.table,
    made: `${names.variable}: make${names.type}`,
    values: objectOf([...textsOf(() => true), '...values']),
    registered: code(registeredType(model, app)),
    registration: objectOf(textsOf((field) => isAsked(field, model, app))),
    person: objectOf([
      '...(await registration())',
      ...textsOf((field) => !isAsked(field, model, app)),
      '...values',
    ]),
    isScarce: !isRoomy(model, app),
    usesLists: fields.some(({ text }) => text.includes(': inTurn(')),
    parameter: code(
      isRoomy(model, app) ? `values: ${someOf(model)} = {}` : `values?: ${someOf(model)}`,
    ),
  };
}

/** Whether a user who changes themselves is let in. */
const changesItself = (model: Model, app: App) =>
  judge(model.access.update, { visitor: 'owner', operation: 'update', model, app }) === true;

/** Of somebody who signs up. */
const isAsked = (field: Field, model: Model, app: App) =>
  isPassword(field) ||
  (field.source === 'client' && isOwnToWrite(field.write ?? everybody, model, app));

const everybody: readonly Entry[] = [{ kind: 'public' }];

/** What is not asked, and every object has, is in no type of what is. */
function registeredType(model: Model, app: App): string {
  const sent = `Create${model.names.type}`;
  const unasked = model.fields.filter((field) => isInherited(field) && !isAsked(field, model, app));
  const names = unasked.map(({ name }) => tsString(name)).join(' | ');
  return names === '' ? sent : `Omit<${sent}, ${names}>`;
}

/** A row has what it must, and what a constraint wants to be another one each time. */
function isMade(field: Field, model: Model): boolean {
  if (field.role === 'key') return isRequired(field);
  if (field.role !== 'declared' && field.role !== 'base' && !isGivenKey(field)) return false;
  return (
    isRequired(field) ||
    isVaried(field, model) ||
    isKnownOnlyWhenSent(field, model) ||
    inheritedNames(model).includes(field.name)
  );
}

function valueOf(field: Field, model: Model, app: App): string {
  if (isPassword(field)) return 'testPassword';
  if (field.role === 'key') return keyOf(field, model, app);
  if (isLeftNull(field)) return 'null';
  if (!isVaried(field, model)) return tsValue(usualValue(field, model, app));
  const form = numbered(field, model, app);
  const turn = `next(${tsString(`${model.table}.${field.name}`)})`;
  if (form === undefined) return tsCall('inTurn', turn, ...spareValues(field, model, app));
  if (field.type.kind === 'int') return `1000 + ${turn}`;
  if (field.type.kind === 'bigint') return `String(1000 + ${turn})`;
  return withNumber(turn, form.before, form.after);
}

/** `(await makeUser()).id`, unless the test says which. */
function keyOf(field: Field, model: Model, app: App): string {
  const made = `(await make${targetOf(field, model, app)?.names.type ?? ''}()).id`;
  if (model.names.type === 'User') return made;
  return `values${isRoomy(model, app) ? '' : '?'}.${field.name} ?? ${made}`;
}

const usualValue = (field: Field, model: Model, app: App): Json => {
  const values = exampleValues(model, field, app);
  return values[2] ?? values[1] ?? values[0] ?? null;
};

/** But for those of the rows that tests write out, where others are left. */
function spareValues(field: Field, model: Model, app: App): readonly string[] {
  const { full, brief, secrets } = exampleRows(model, app);
  const taken = [full, brief ?? {}, secrets].map((row) => JSON.stringify(row[field.name]));
  const values = exampleValues(model, field, app);
  const spare = values.filter((value) => !taken.includes(JSON.stringify(value)));
  return (spare.length > 0 ? spare : values).map(tsValue);
}

/** A template literal, or a concatenation where the text would have to be escaped in one. */
function withNumber(turn: string, before: string, after: string): string {
  const isPlain = /^[^`\\$\p{C}\u2028\u2029]*$/u.test(before + after);
  return isPlain ? `\`${before}\${${turn}}${after}\`` : `${tsString(before)} + ${turn}`;
}
