import type { App, Model } from '../model/app.ts';
import type { Output } from './manifest.ts';
import { tablesView } from './views/tables.ts';

/** What each template prints, by its path below `templates/app` and `templates/model`. */
const appViews: Readonly<Record<string, (app: App) => object>> = {
  'src/database/tables.ts': tablesView,
};

const modelViews: Readonly<Record<string, (model: Model, app: App) => object>> = {};

/** The rest of the project speaks of the app as a whole: its name, its engine. */
export function viewOf({ source, model }: Output, app: App): object {
  if (model) return modelViews[source]?.(model, app) ?? model;
  return appViews[source]?.(app) ?? app;
}
