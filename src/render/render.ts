import type { App, Model } from '../model/app.ts';
import { layout } from './layout.ts';
import { type Output, outputs } from './manifest.ts';
import type { RenderedFile } from './rendered-file.ts';
import { loadTemplates } from './templates.ts';
import { allRoutesView, configView, copyView, enumsView } from './views/app.ts';
import { modelTestView } from './views/model-test.ts';
import { packageView } from './views/package.ts';
import { policyView } from './views/policy.ts';
import { firstCallView, proseView } from './views/prose.ts';
import { credentialsView, queriesView } from './views/queries.ts';
import { routesView } from './views/routes.ts';
import { schemaView } from './views/schema.ts';
import { seedView } from './views/seed.ts';
import { tablesView } from './views/tables.ts';
import { factoryView } from './views/tests/factory.ts';

/** Every file that a template makes: pure, but for reading the templates. */
export function renderApp(app: App): RenderedFile[] {
  const templates = loadTemplates();
  return outputs(app, templates.names).map((output) => {
    const { id, path, policy, kind, mode, model } = output;
    const content = format(output, templates.render(output.template, viewOf(output, app)));
    return { id, path, content, policy, kind, mode, ...(model && { model: model.names.type }) };
  });
}

const format = ({ kind, template }: Output, content: string) =>
  kind === 'ts' && template.endsWith('.hbs') ? layout(content) : content;

/** What each template prints, by its path below `templates/app` and `templates/model`. */
const appViews: Readonly<Record<string, (app: App) => object>> = {
  '.env.example': proseView,
  'AGENTS.md': proseView,
  Dockerfile: proseView,
  'README.md': proseView,
  'SECURITY.md': proseView,
  'compose.yaml': proseView,
  'package.json': packageView,
  'scripts/copy.ts': copyView,
  'src/config.ts': configView,
  'src/database/seed.ts': seedView,
  'src/database/tables.ts': tablesView,
  'src/enums.ts': enumsView,
  'src/pages/first-call.ts': firstCallView,
  'src/routes.ts': allRoutesView,
  'test/factory.ts': factoryView,
};

const modelViews: Readonly<Record<string, (model: Model, app: App) => object>> = {
  'src/model/credentials.ts': credentialsView,
  'src/model/policy.ts': policyView,
  'src/model/queries.ts': queriesView,
  'src/model/routes.ts': routesView,
  'src/model/schema.ts': schemaView,
  'test/model.test.ts': modelTestView,
};

/** The rest of the project speaks of the app as a whole: its name, its engine. */
function viewOf({ source, model }: Output, app: App): object {
  if (model) return modelViews[source]?.(model, app) ?? model;
  return appViews[source]?.(app) ?? app;
}
