import { bodyOf, constantsOf, rowOf } from './tests/sent.ts';
import { type App, isUser, type Model } from '../../model/app.ts';
import { hasAccounts } from '../../model/app-features.ts';
import { code, type Code, sourceText, tsCall, tsKey, tsString } from '../typescript.ts';
import { agreementViews } from './tests/agreeing.ts';
import { accessTable } from './tests/access-table.ts';
import { createView } from './tests/create.ts';
import { fieldRulesView } from './tests/field-rules.ts';
import { updateView } from './tests/update.ts';
import { exampleRows } from './tests/example-rows.ts';
import { listView } from './tests/list.ts';
import { relationViews } from './tests/relations.ts';
import { firstAnswers, linkView, sharesView } from './tests/people.ts';
import { tiesTo, tiesView } from './tests/standing.ts';
import { statesOf } from './tests/states.ts';
import { walkthroughView } from './tests/walkthrough.ts';
import { forTemplates, stepsOf } from './endpoints.ts';
import { oddTimes } from './times.ts';
import { judge } from './tests/verdict.ts';
import { argument, entry } from './tests/printed.ts';

/** What `test/<folder>.test.ts` prints: requests and answers of the model, written out. */
export function modelTestView(model: Model, app: App) {
  const tests = testsOf(model, app);
  const { create, list, update, link, shares, agreements, related, keepsAdmins, shownOnce } = tests;
  const isRowSent = Boolean(create || list || (update && update.isTaken));
  const api = hasAccounts(app) ? ['api'] : [];
  return {
    ...model.names,
    ...tests,
    path: `${app.apiPrefix}/${model.path}/`,
    constants: code(constantsOf(model, app, isRowSent).join('\n\n')),
    access: accessArgument(model, app, shownOnce),
    people: [
      ...callsOf('testLink', ['api'], [link]),
      ...callsOf('testShares', ['api'], [shares]),
      ...callsOf('testAgreement', ['api'], agreements),
    ],
    listed: [
      ...callsOf('testHidden', ['api', 'path'], [list ? list.hidden : undefined]),
      ...callsOf('testRelation', api, related),
    ],
    guardsRoles: keepsAdmins && changesItself(model, app),
  };
}

/** What is tested besides what every model has. */
function testsOf(model: Model, app: App) {
  const rows = exampleRows(model, app);
  const present = forTemplates(stepsOf(model), () => true);
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
    /** What whoever creates a row is shown once. */
    shownOnce: secret ? `{ ${entry(secret, 'expect.any(String)')} }` : undefined,
    walkthrough: walkthroughView(model, app),
  };
}

/** A call for each argument that there is, after those that are the same in all. */
const callsOf = (name: string, same: readonly string[], all: readonly (Code | undefined)[]) =>
  all.flatMap((it) => (it === undefined ? [] : code(tsCall(name, ...same, sourceText(it)))));

/** Who may do what with a row. */
function accessArgument(model: Model, app: App, shownOnce: string | undefined): Code {
  const { ties, joins } = tiesView(model, app);
  const states = statesOf(model, app);
  const isGiven = ties !== undefined || states.length > 0;
  return argument({
    path: 'path',
    body: bodyOf(model, app, isGiven),
    row: rowOf(model, isGiven),
    ties,
    joins,
    shownOnce,
    first: firstAnswers(model, app),
    answers: accessTable(model, app),
    states: states.length > 0 ? `[${states.join(', ')}]` : undefined,
  });
}

/** What `test/promises.ts` has to know of rules: no more than the test of some model says. */
export function promisesView(app: App) {
  const isSome = (isTrue: (model: Model) => boolean) => app.models.some(isTrue);
  const conditional = isSome(
    (model) => tiesTo(model, app).length > 0 || statesOf(model, app).length > 0,
  );
  const shownOnce = isSome(
    ({ link, endpoints }) => link !== undefined && endpoints.includes('create'),
  );
  const first = isSome((model) => firstAnswers(model, app) !== undefined);
  return {
    conditional,
    shownOnce,
    once: code(shownOnce ? 'shownOnce, ' : ''),
    first,
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
  const [holder] = app.models.flatMap((other) =>
    other.relations.flatMap((it) =>
      it.kind === 'one' &&
      it.target === model.names.type &&
      it.onDelete === 'restrict' &&
      other !== model
        ? [{ variable: other.names.variable, key: it.key }]
        : [],
    ),
  );
  return holder;
}

/** Whether a user who changes themselves is let in. */
const changesItself = (model: Model, app: App) =>
  judge(model.access.update, { visitor: 'owner', operation: 'update', model, app }) === true;
