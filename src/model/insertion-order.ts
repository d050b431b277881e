import type { App, Model } from './app.ts';

/** Models in an order in which rows can be made: what a row must point to comes before it. */
export function insertionOrder(app: App): readonly Model[] {
  const ordered = new Set<Model>();
  const add = (model: Model, path: readonly Model[]) => {
    if (path.includes(model)) return;
    for (const target of required(model, app)) add(target, [...path, model]);
    ordered.add(model);
  };
  for (const model of app.models) add(model, []);
  return [...ordered];
}

function required(model: Model, app: App): readonly Model[] {
  const targets = new Set(
    model.relations.flatMap((relation) =>
      relation.kind === 'one' && !relation.optional ? [relation.target] : [],
    ),
  );
  return app.models.filter(({ names }) => targets.has(names.type));
}
