import { bodyOf, constantsOf, rowOf } from './tests/sent.ts';
import { firstAnswers, lastView } from './tests/first-members.ts';
import { type App, type Endpoint, hasAccounts, isUser, type Model } from '../../model/app.ts';
import { code, type Code, importOf, linesOf, tsKey, tsString } from '../typescript.ts';
import { agreementViews } from './tests/agreeing.ts';
import { accessTable } from './tests/access-table.ts';
import { createView } from './tests/create.ts';
import { fieldRulesView } from './tests/field-rules.ts';
import { updateView } from './tests/update.ts';
import { exampleRows } from './tests/example-rows.ts';
import { listView } from './tests/list.ts';
import { relationViews } from './tests/relations.ts';
import { linkView, sharesView } from './tests/people.ts';
import { tiesView } from './tests/standing.ts';
import { statesOf } from './tests/states.ts';
import { importedOf, stepsOf } from './endpoints.ts';
import { oddTimes } from './times.ts';
import { judge } from './tests/verdict.ts';
import { argument, entry } from './tests/printed.ts';

/** What `test/<folder>.test.ts` prints: requests and answers of the model, written out. */
export function modelTestView(model: Model, app: App) {
  const { names, endpoints } = model;
  const has = (endpoint: Endpoint) => endpoints.includes(endpoint);
  const rows = exampleRows(model, app);
  const ruled = fieldRulesView(model, rows, app);
  const ties = tiesView(model, app);
  const states = statesOf(model, app);
  const isGiven = ties.ties !== undefined || states.length > 0;
  const update = has('update') && updateView(model, rows, app);
  const isTaken = update !== false && update.isTaken;
  const list = has('list') && listView(model, rows, app);
  const relations = has('list') ? relationViews(model, app) : [];
  const create = has('create') ? createView(model, rows, app) : undefined;
  const link = linkView(model, app);
  const shares = sharesView(model, app);
  const agreements = agreementViews(model, app, create?.body);
  const keepsAdmins = isUser(model) && update !== false;
  const guardsRoles = keepsAdmins && changesItself(model, app);
  const isHiding = list !== false && list.hidden !== false;
  const present = stepsOf(model);
  const promises = importedOf(
    present,
    'promises',
    'testAccess',
    ...(isHiding ? ['testHidden'] : []),
    ...(relations.length > 0 ? ['testRelation'] : []),
  );
  const shownOnce = create && model.link && entry(model.link.secret, 'expect.any(String)');
  const last = lastView(model, app);
  const isTesting = keepsAdmins || last !== undefined;
  const isExpecting = isTesting || create?.isExpecting || shownOnce !== undefined;
  const imported = ['describe', ...(isExpecting ? ['expect'] : []), ...(isTesting ? ['it'] : [])];
  return {
    ...names,
    path: `${app.apiPrefix}/${model.path}/`,
    imports: linesOf(
      `import { ${imported.join(', ')} } from 'vitest';`,
      `import type { New${names.type} } from '../src/${names.folder}/schema.ts';`,
      ...(agreements.length > 0 ? ["import { testAgreement } from './agreement.ts';"] : []),
      "import { startTestApp } from './app.ts';",
      ...(ruled ? ["import { testFields } from './fields.ts';"] : []),
      ...importOf('./promises.ts', ...promises),
      ...(link ? ["import { testLink } from './link.ts';"] : []),
      ...(shares ? ["import { testShares } from './shares.ts';"] : []),
      ...importOf('./writes.ts', ...importedOf(present, 'writes')),
    ),
    constants: code(constantsOf(model, app, has('create') || has('list') || isTaken).join('\n\n')),
    access: argument({
      path: 'path',
      body: bodyOf(model, app, isGiven),
      row: rowOf(model, isGiven),
      ...ties,
      told: shownOnce && `{ ${shownOnce} }`,
      first: firstAnswers(model, app),
      answers: accessTable(model, app),
      states: states.length > 0 ? `[${states.join(', ')}]` : undefined,
    }),
    link,
    shares,
    agreements,
    last,
    ruled,
    create,
    read: has('read') && { field: Object.keys(rows.full)[0] ?? 'id' },
    list,
    relations: relations.map((related) => ({ related, accounts: hasAccounts(app) })),
    update,
    keepsAdmins,
    guardsRoles,
    delete: has('delete') && deleteArgument(model, app),
  };
}

/** `DELETE /api/posts/:id`: what is deleted, and where it is still shown. */
function deleteArgument(model: Model, app: App): Code {
  const make = `() => api.make.${model.names.variable}(full)`;
  const holder = holderOf(model, app);
  const id = model.idType === 'int' ? 'number' : 'string';
  const isKept = model.endpoints.includes('list') && model.softDelete;
  const deletion = isKept ? oddTimes(model, app)?.deletion : undefined;
  return argument({
    path: 'path',
    make,
    holder: holder && `(id: ${id}) => api.make.${holder.variable}({ ${tsKey(holder.key)}: id })`,
    kept: isKept ? 'full' : undefined,
    deletion: deletion && tsString(deletion),
  });
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
        ? [{ variable: other.names.variable, key: relation.key }]
        : [],
    )[0];
}

/** Whether a user who changes themselves is let in. */
const changesItself = (model: Model, app: App) =>
  judge(model.access.update, { visitor: 'owner', operation: 'update', model, app }) === true;
