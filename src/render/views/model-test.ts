import { bodyOf, constantsOf, rowOf } from './tests/sent.ts';
import { firstAnswers, lastView } from './tests/first-members.ts';
import { type App, type Endpoint, hasAccounts, type Model } from '../../model/app.ts';
import { code, linesOf, textOf } from '../typescript.ts';
import { agreementViews } from './tests/agreeing.ts';
import { accessTable, readerOf } from './tests/access-table.ts';
import { createView } from './tests/create.ts';
import { fieldRulesView } from './tests/field-rules.ts';
import { updateView } from './tests/update.ts';
import { exampleRows } from './tests/example-rows.ts';
import { listView } from './tests/list.ts';
import { relationViews } from './tests/relations.ts';
import { linkView, sharesView } from './tests/people.ts';
import { tiesTo, tieView } from './tests/standing.ts';
import { statesOf } from './tests/states.ts';
import { oddTimes } from './times.ts';
import { judge } from './tests/verdict.ts';
import { clientOf, entry } from './tests/printed.ts';

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
