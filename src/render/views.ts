import type { App, Model } from '../model/app.ts';
import type { Output } from './manifest.ts';
import { allRoutesView } from './views/all-routes.ts';
import { configView, copyView } from './views/config.ts';
import { credentialsView } from './views/credentials.ts';
import { firstCallView } from './views/example-call.ts';
import { enumsView } from './views/enums.ts';
import { modelTestView } from './views/model-test.ts';
import { packageView } from './views/package.ts';
import { policyView } from './views/policy.ts';
import { proseView } from './views/prose.ts';
import { queriesView } from './views/queries.ts';
import { routesView } from './views/routes.ts';
import { schemaView } from './views/schema.ts';
import { seedView } from './views/seed.ts';
import { tablesView } from './views/tables.ts';
import { factoryView } from './views/tests/factory.ts';

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
export function viewOf({ source, model }: Output, app: App): object {
  if (model) return modelViews[source]?.(model, app) ?? model;
  return appViews[source]?.(app) ?? app;
}
