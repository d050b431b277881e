import { InternalError } from '../errors.ts';
import type { App, Model } from './app.ts';

/** Models in an order in which rows can be made: what a row must point to comes before it, and what it may, where that can be. */
export function insertionOrder(app: App): readonly Model[] {
  const ordered = new Set<string>();
  const isReady = (model: Model, targets: (model: Model) => readonly string[]) =>
    targets(model).every((type) => ordered.has(type) || type === model.names.type);
  const remaining = new Set(app.models);
  const models: Model[] = [];
  while (remaining.size > 0) {
    const ready = [...remaining].filter((model) => isReady(model, required));
    const next = ready.find((model) => isReady(model, referred)) ?? ready[0];
    if (next === undefined) throw new InternalError('Required relations run in a circle.');
    remaining.delete(next);
    ordered.add(next.names.type);
    models.push(next);
  }
  return models;
}

function required({ relations }: Model): readonly string[] {
  return relations.flatMap((relation) =>
    relation.kind === 'one' && !relation.optional ? [relation.target] : [],
  );
}

function referred({ relations }: Model): readonly string[] {
  return relations.flatMap((relation) =>
    relation.kind === 'one' || (relation.kind === 'links' && relation.idsField !== undefined)
      ? [relation.target]
      : [],
  );
}
