import type { App } from '../../model/app.ts';

/** What `src/routes.ts` prints: the models with an address of their own. */
export function allRoutesView(app: App) {
  return {
    resources: app.models
      .filter(({ endpoints }) => endpoints.length > 0)
      .map(({ names, path }) => ({
        folder: names.folder,
        routes: `${names.variable}Routes`,
        prefix: `${app.apiPrefix}/${path}`,
      })),
  };
}
