import type { App, Model } from '../model/app.ts';
import {
  hasAccounts,
  hasBigints,
  hasSmallIds,
  hasMicroseconds,
  hasZonelessTimes,
  hasChecks,
  hasSecretLink,
  hasPasswords,
} from '../model/app-features.ts';
import { withoutUnusedImports } from './imports.ts';
import { breakLines } from './break-lines.ts';
import { type Output, listOutputs } from './manifest.ts';
import type { RenderedFile } from './rendered-file.ts';
import { loadTemplates } from './templates.ts';
import { code } from './typescript.ts';
import {
  allRoutesView,
  configView,
  copyView,
  enumsView,
  loggingView,
  openapiView,
  runSeedView,
  packageView,
  textKeysView,
} from './views/app.ts';
import { callersView } from './views/callers.ts';
import { idColumnsView } from './views/id-columns.ts';
import { hasFieldRules } from './views/field-type.ts';
import { tablesView } from './views/tables.ts';
import { modelTestView, promisesView } from './views/model-test.ts';
import { factoryView } from './views/factory.ts';
import { timesView } from './views/times.ts';
import { credentialsView, idsView, routesView } from './views/routes.ts';
import { queriesView } from './views/queries.ts';
import { policyView } from './views/policy.ts';
import { proseView } from './views/prose.ts';
import { schemaView } from './views/schema.ts';
import { seedView } from './views/seed/seed.ts';
import { featuresView } from './views/features.ts';

/** Renders all files that templates make, or those that are wanted. Pure, except that it reads the templates. */
export function renderApp(
  app: App,
  isWanted: (id: string) => boolean = () => true,
): RenderedFile[] {
  const templates = openTemplates();
  const wanted = listOutputs(app, templates.names).filter(({ id }) => isWanted(id));
  const shared = sharedView(app);
  const made = new Map<View | Model | App, object>();
  const getView = (output: Output) => {
    const source = findView(output) ?? output.model ?? app;
    const view = made.get(source) ?? {
      ...shared,
      ...(typeof source === 'function' ? source(app) : source),
    };
    made.set(source, view);
    return view;
  };
  return wanted.map((output) => {
    const { id, path, policy, kind, mode, model } = output;
    const content = format(
      output,
      templates.render(output.template, () => getView(output)),
    );
    return { id, path, content, policy, kind, mode, ...(model && { model: model.name }) };
  });
}

/** The template of a file, below `templates/`; undefined if it has none. */
export function findTemplate(app: App, id: string): string | undefined {
  return listOutputs(app, openTemplates().names).find((it) => it.id === id)?.template;
}

let loaded: ReturnType<typeof loadTemplates> | undefined;

const openTemplates = () => (loaded ??= loadTemplates());

/** Removes unused imports and breaks lines. A template without a view needs no line breaks. */
function format(output: Output, content: string): string {
  if (output.kind !== 'ts' || !output.template.endsWith('.hbs')) return content;
  const module = withoutUnusedImports(content);
  return findView(output) === undefined ? module : breakLines(module);
}

/** The views of `templates/app`, by source path. Others use only `sharedView`. */
const appViews: Readonly<Record<string, View>> = {
  '.env.example': proseView,
  '.github/workflows/ci.yml': proseView,
  'AGENTS.md': proseView,
  Dockerfile: proseView,
  'README.md': proseView,
  'SECURITY.md': proseView,
  'compose.yaml': proseView,
  'package.json': packageView,
  'scripts/copy.ts': copyView,
  'seeds/run.ts': runSeedView,
  'seeds/seed.ts': seedView,
  'src/config.ts': configView,
  'src/database/client.ts': momentsView,
  'src/database/dialect.ts': (app) => ({ ...momentsView(app), ...featuresView(app) }),
  'src/database/postgres-driver.ts': (app) => ({ bigints: hasBigints(app) }),
  'src/database/tables.ts': tablesView,
  'src/database/values.ts': (app) => ({
    ...momentsView(app),
    ...featuresView(app),
    maxId: code(hasSmallIds(app) ? '2 ** 31 - 1' : 'Number.MAX_SAFE_INTEGER'),
  }),
  'src/enums.ts': enumsView,
  'src/database/text-keys.ts': textKeysView,
  'src/lib/request.ts': idsView,
  'src/plugins/logging.ts': loggingView,
  'src/plugins/openapi.ts': openapiView,
  'src/routes.ts': allRoutesView,
  'test/factory.ts': factoryView,
  'test/promises.ts': promisesView,
};

/** How columns store times. */
function momentsView(app: App) {
  const zoneless = hasZonelessTimes(app);
  return {
    zoneless,
    micros: hasMicroseconds(app),
    atUtc: code(zoneless ? '' : " at time zone 'UTC'"),
  };
}

/** The views of `templates/model`, by source path. */
const modelViews: Readonly<Record<string, (model: Model, app: App) => object>> = {
  'src/model/credentials.ts': credentialsView,
  'src/model/policy.ts': policyView,
  'src/model/queries.ts': queriesView,
  'src/model/routes.ts': routesView,
  'src/model/schema.ts': schemaView,
  'test/model.test.ts': modelTestView,
};

/** Values for every template. A template without a view also gets the app or the model. */
function sharedView(app: App): object {
  const [accounts, passwords, checked] = [hasAccounts(app), hasPasswords(app), hasChecks(app)];
  return {
    accounts,
    passwords,
    checked,
    secretLinks: hasSecretLink(app),
    fieldRules: hasFieldRules(app),
    isPostgres: app.database === 'postgres',
    tokensOfOthers: accounts && !passwords,
    /** What checks a value when no server runs. */
    validated: code(passwords ? 'config' : ''),
    problemWith: code(passwords ? 'problemWith(config)' : 'problemWith'),
    longestWait: passwords ? 'longest' : 'window',
    times: timesView(app),
    ...callersView(app),
    ...idColumnsView(app),
  };
}

type View = (app: App) => object;

function findView({ source, model, template }: Output): View | undefined {
  const ofModel = modelViews[source];
  if (model) return ofModel && ((app) => ofModel(model, app));
  const isWorded = source.startsWith('src/lib/') && template.endsWith('.hbs');
  return appViews[source] ?? (isWorded ? featuresView : undefined);
}
