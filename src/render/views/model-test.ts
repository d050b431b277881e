import { printRequestBody, printConstants, printRowMaker } from './tests/request-bodies.ts';
import { type App, isUser, type Model } from '../../model/app.ts';
import { hasAccounts } from '../../model/app-features.ts';
import { getId, isSoftlyDeleted } from '../../model/lookups.ts';
import { code, type Code, sourceText, tsCall, tsKey, tsString } from '../typescript.ts';
import { agreementViews } from './tests/agreeing-keys.ts';
import { accessTable } from './tests/access-table.ts';
import { createView } from './tests/create.ts';
import { fieldRulesView } from './tests/field-rules.ts';
import { updateView } from './tests/update.ts';
import { exampleRows } from './tests/example-rows.ts';
import { listView } from './tests/list.ts';
import { relationViews } from './tests/relations.ts';
import { firstMemberAnswers, linkView, sharesView } from './tests/people.ts';
import { rowRelations, rowRelationsView } from './tests/row-relations.ts';
import { stateCases } from './tests/state-cases.ts';
import { walkthroughView } from './tests/walkthrough.ts';
import { byEndpoint, endpointSteps } from './endpoints.ts';
import { findOddTimes } from './times.ts';
import { judge } from './tests/verdict.ts';
import { printArgument, printEntry } from './tests/print.ts';

/** The view of `test/<folder>.test.ts`: requests and expected responses. */
export function modelTestView(model: Model, app: App) {
  const tests = buildTests(model, app);
  const { create, list, update, link, shares, agreements, related, keepsAdmins, shownOnce } = tests;
  const isRowSent = Boolean(create || list || (update && update.isTaken));
  const api = hasAccounts(app) ? ['api'] : [];
  return {
    ...model.names,
    ...tests,
    path: `${app.apiPrefix}/${model.path}/`,
    constants: code(printConstants(model, app, { usesBrief: isRowSent }).join('\n\n')),
    access: accessArgument(model, app, shownOnce),
    people: printStatements([
      ...printCalls('testLink', ['api'], [link]),
      ...printCalls('testShares', ['api'], [shares]),
      ...printCalls('testAgreement', ['api'], agreements),
    ]),
    listed: printStatements([
      ...printCalls('testHidden', ['api', 'path'], [list ? list.hidden : undefined]),
      ...printCalls('testRelation', api, related),
    ]),
    guardsRoles: keepsAdmins && changesItself(model, app),
  };
}

/** Tests that only some models have. */
function buildTests(model: Model, app: App) {
  const rows = exampleRows(model, app);
  const present = byEndpoint(endpointSteps(model), () => true);
  const create = present.create && createView(model, rows, app);
  const secret = create && model.link?.secret;
  return {
    ...present,
    create,
    list: present.list && listView(model, rows, app),
    update: present.update && updateView(model, rows, app),
    remove: present.remove && deleteArgument(model, app),
    field: Object.keys(rows.full)[0] ?? 'id',
    ruled: fieldRulesView(model, rows, app),
    related: present.list ? relationViews(model, app) : [],
    link: linkView(model, app),
    shares: sharesView(model, app),
    agreements: agreementViews(model, app, create ? create.body : undefined),
    keepsAdmins: isUser(model) && present.update,
    /** What is shown only once, to whoever creates a row. */
    shownOnce: secret ? `{ ${printEntry(secret, 'expect.any(String)')} }` : undefined,
    walkthrough: walkthroughView(model, app),
  };
}

/** Prints a call for each argument, after arguments that all calls share. */
const printCalls = (name: string, same: readonly string[], all: readonly (Code | undefined)[]) =>
  all.flatMap((it) => (it === undefined ? [] : tsCall(name, ...same, sourceText(it))));

/** With an empty line between two calls. */
const printStatements = (calls: readonly string[]) =>
  code(calls.map((call) => `${call};`).join('\n\n  '));

/** Prints who may do what with a row. */
function accessArgument(model: Model, app: App, shownOnce: string | undefined): Code {
  const { relations: ties, joins } = rowRelationsView(model, app);
  const states = stateCases(model, app);
  const isGiven = ties !== undefined || states.length > 0;
  return printArgument({
    path: 'path',
    body: printRequestBody(model, app, { isTied: isGiven }),
    row: printRowMaker(model, { isTied: isGiven }),
    ties,
    joins,
    shownOnce,
    first: firstMemberAnswers(model, app),
    answers: accessTable(model, app),
    states: states.length > 0 ? `[${states.join(', ')}]` : undefined,
  });
}

/** The view of `test/promises.ts`: which rules the tests of any model need. */
export function promisesView(app: App) {
  const isSome = (isTrue: (model: Model) => boolean) => app.models.some(isTrue);
  const conditional = isSome(
    (model) => rowRelations(model, app).length > 0 || stateCases(model, app).length > 0,
  );
  const shownOnce = isSome(
    ({ link, endpoints }) => link !== undefined && endpoints.includes('create'),
  );
  const first = isSome((model) => firstMemberAnswers(model, app) !== undefined);
  const attempted = ['path', 'body', ...(shownOnce ? ['shownOnce'] : [])];
  return {
    conditional,
    shownOnce,
    first,
    attempted: code([...attempted, ...(first ? ['first = {}'] : []), 'answers'].join(', ')),
  };
}

/** Prints `DELETE /api/posts/:id`: what is deleted, and where it is still shown. */
function deleteArgument(model: Model, app: App): Code {
  const make = `() => api.make.${model.names.variable}(full)`;
  const holder = findHolder(model, app);
  const id = getId(model).type.kind === 'id' ? 'number' : 'string';
  const isKept = model.endpoints.includes('list') && isSoftlyDeleted(model);
  const deletion = isKept ? findOddTimes(model, app)?.deletion : undefined;
  return printArgument({
    path: 'path',
    make,
    holder: holder && `(id: ${id}) => api.make.${holder.variable}({ ${tsKey(holder.key)}: id })`,
    kept: isKept ? 'full' : undefined,
    deletion: deletion && tsString(deletion),
  });
}

/** A model whose rows restrict the deletion of rows of this one. */
function findHolder(model: Model, app: App) {
  if (isSoftlyDeleted(model)) return undefined;
  const [holder] = app.models.flatMap((other) =>
    other.relations.flatMap((it) =>
      it.kind === 'one' && it.target === model.name && it.onDelete === 'restrict' && other !== model
        ? [{ variable: other.names.variable, key: it.key }]
        : [],
    ),
  );
  return holder;
}

/** Whether a user may change their own row. */
const changesItself = (model: Model, app: App) =>
  judge(model.access.update, { visitor: 'owner', operation: 'update', model, app }) === true;
