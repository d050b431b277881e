import { endpointNames, wordOf } from '../../model/access.ts';
import type { App, Endpoint, Model } from '../../model/app.ts';
import { version } from '../../version.ts';
import { code } from '../code.ts';
import { markdown, shell } from '../helpers.ts';
import { configView } from './config.ts';
import { modelDiagram } from './diagram.ts';
import { exampleCall } from './example-call.ts';

/** What the files for people and machines around the code print: README, settings, container, CI. */
export function proseView(app: App) {
  const { email, password, registration, list } = exampleCall(app);
  const { databaseUrl, hasPool } = configView(app);
  return {
    title: app.title,
    description: app.description,
    version,
    databaseNote: code(databaseNotes[app.database]),
    databaseUrl: code(databaseUrl),
    hasPool,
    hasSqlite: app.database === 'sqlite',
    composeUrl: databaseUrl.replace('127.0.0.1:54320', 'database:5432'),
    databaseName: databaseUrl.replace(/^.*\//, ''),
    resources: code(resourceTable(app)),
    diagram: code(modelDiagram(app)),
    call: { email, password, registration: code(shell(JSON.stringify(registration))), list },
  };
}

const databaseNotes = {
  sqlite:
    'Its database is the file that `DATABASE_URL` in `.env` names; `backups/` beside it keeps copies from before migrations that\nrebuild tables.',
  postgres:
    '`npm run dev` brings a PostgreSQL of its own, with its data in `var/postgres/`; set `DATABASE_URL` in `.env` to use another.',
};

/** Which path a model is at and who may do what there, as a table with straight columns. */
function resourceTable(app: App): string {
  const rows = app.models
    .filter(({ endpoints }) => endpoints.length > 0)
    .map((model) => [
      `\`${app.apiPrefix}/${model.path}/\``,
      ...endpointNames.map((endpoint) => whoMay(model, endpoint)),
    ]);
  const header = ['path', ...endpointNames];
  const widths = header.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [header, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
}

function whoMay({ endpoints, access }: Model, endpoint: Endpoint): string {
  return endpoints.includes(endpoint)
    ? access[endpoint].map((entry) => markdown(wordOf(entry))).join(', ')
    : 'off';
}
