import { needsAccount } from '../../model/access.ts';
import { spellEntry } from '../../schema/spell-entry.ts';
import { type App, isUser, type Model } from '../../model/app.ts';
import { hasAccounts, hasPasswords } from '../../model/app-features.ts';
import { type EndpointName, endpointNames } from '../../schema/language.ts';
import { titleOf } from '../../naming/name.ts';
import { version } from '../../version.ts';
import { markdown } from '../helpers.ts';
import { code } from '../typescript.ts';
import { printTable } from '../../markdown-table.ts';
import { configView } from './app.ts';
import { makeExampleCall, findOpenList } from './example-call.ts';
import { printModelDiagram } from './model-diagram.ts';
import { packageManagerView, packageManagerWords } from './package-manager.ts';
import { quoteForShell } from '../../words.ts';

/** The view of README, settings, container and CI files. */
export function proseView(app: App) {
  const { email, password, registration, options, list } = makeExampleCall(app);
  const listed = app.models.find(({ endpoints }) => endpoints.includes('list'));
  const { databaseUrl, composeUrl, databaseName } = configView(app);
  return {
    ...packageManagerView(app),
    title: titleOf(app.name),
    folders: code(folderOrder(app)),
    sqlPlaces: code(
      hasAccounts(app) ? 'queries, `auth/`, `mail/` and `lib/`' : 'queries and `lib/`',
    ),
    description: app.description,
    version,
    databaseNote: code(databaseNote(app)),
    databaseUrl: code(databaseUrl),
    composeUrl: code(composeUrl),
    databaseName,
    commands: code(commandTable(app)),
    resources: code(resourceTable(app)),
    diagram: code(printModelDiagram(app)),
    created: createdView(app),
    listed: listedView(app),
    call: {
      email,
      password,
      registration: code(quoteForShell(JSON.stringify(registration))),
      options: code(options),
      list,
      // The list is only open if every signed-in user may list it.
      query: !findOpenList(app) && listed ? `${app.apiPrefix}/${listed.path}/` : list,
    },
  };
}

/** Folders in an order in which each imports only from earlier ones. */
function folderOrder(app: App): string {
  const folders = hasAccounts(app)
    ? '`database/`, `lib/`, `mail/`, the models, `auth/`, `pages/`, `plugins/`'
    : '`database/`, `lib/`, the models, `pages/`, `plugins/`';
  return `${folders}, \`routes.ts\` and \`app.ts\``;
}

/** The first model whose rows clients create, to explain how a request passes through the code. */
function createdView(app: App) {
  const model = app.models.find((each) => !isUser(each) && each.endpoints.includes('create'));
  if (model === undefined) return undefined;
  const token = needsAccount(model, app, 'create')
    ? 'finds the user of the access token, and answers 401 without one.'
    : 'finds the user of the access token, if one is sent.';
  const first = hasAccounts(app)
    ? `\`src/plugins/authentication.ts\` ${token}`
    : '`src/plugins/security.ts` limits what a request may cost, and sets headers of its answer.';
  return { ...model.names, path: `${app.apiPrefix}/${model.path}/`, first: code(first) };
}

/** The first model with a list, to explain how a request passes through the code. Users come last. */
function listedView(app: App) {
  const listed = app.models.filter(({ endpoints }) => endpoints.includes('list'));
  const model = listed.find((it) => !isUser(it)) ?? listed[0];
  if (model === undefined) return undefined;
  const driver = app.database === 'sqlite' ? 'readers.ts' : 'postgres-driver.ts';
  return { ...model.names, path: `${app.apiPrefix}/${model.path}/`, driver: code(driver) };
}

function databaseNote(app: App): string {
  const { run } = packageManagerWords(app);
  return app.database === 'sqlite'
    ? 'Its database is the file named by `DATABASE_URL` in `.env`. Before a migration rebuilds tables, a copy of it is kept in `backups/`\nbeside it.'
    : `\`${run} dev\` starts its own PostgreSQL, with the data in \`var/postgres/\`. To use another one, set \`DATABASE_URL\` in \`.env\`.`;
}

function commandTable(app: App): string {
  const { run, test, start, separator } = packageManagerWords(app);
  return printRows([
    ['command', 'does'],
    [`\`${run} dev\``, 'run, and restart when a file changes'],
    [`\`${test}\``, 'run the tests, on a database of their own'],
    [`\`${run} check\``, 'types, lint, format and tests: what CI runs'],
    [`\`${run} format\``, 'format the code'],
    [`\`${run} db:migrate\``, 'apply the pending migrations (`dev` does this by itself)'],
    [`\`${run} db:status\``, 'list the migrations, and what differs in the database'],
    [`\`${run} db:baseline\``, 'take over a database that already has tables'],
    [`\`${run} db:rollback\``, 'roll back the last migration, unless that would lose data'],
    [`\`${run} db:squash\``, 'replace a long history with one migration'],
    [
      `\`${run} db:seed ${separator}--count 50\``,
      'fill every table for development: `seeds/seed.ts`',
    ],
    ...(hasAccounts(app)
      ? [[`\`${run} user:create\``, `create a user: \`${separator}--email … --name … --admin\``]]
      : []),
    ...(hasPasswords(app) || !hasAccounts(app)
      ? []
      : [[`\`${run} user:token\``, `print an access token: \`${separator}--email …\``]]),
    [`\`${run} openapi\``, 'write `openapi.json`'],
    [`\`${run} client\``, 'write `client/api.ts` for a front end: typed calls to this server'],
    [`\`${run} build\`, \`${start}\``, 'compile to `dist/`, and run that in production'],
  ]);
}

/** The first row is the header. */
const printRows = ([header = [], ...rows]: readonly (readonly string[])[]) =>
  printTable([header, header.map(() => '---'), ...rows]);

/** Which path a model is at and who may do what there, as a table with straight columns. */
function resourceTable(app: App): string {
  const rows = app.models
    .filter(({ endpoints }) => endpoints.length > 0)
    .map((model) => [
      `\`${app.apiPrefix}/${model.path}/\``,
      ...endpointNames.map((endpoint) => whoMay(model, endpoint)),
    ]);
  return printRows([['path', ...endpointNames], ...rows]);
}

function whoMay({ endpoints, access }: Model, endpoint: EndpointName): string {
  return endpoints.includes(endpoint)
    ? access[endpoint].map((entry) => markdown(spellEntry(entry))).join(', ')
    : 'off';
}
