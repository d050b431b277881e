import type { Draft, DraftModel } from './draft.ts';

/**
 * What most keys do is said once, for all of them: relations say what they do otherwise. Of moments, it is known whether
 * each has a column without a zone.
 */
export function withStorage(
  draft: Omit<Draft, 'onUpdate' | 'times'>,
  zoneless: readonly boolean[],
): Draft {
  const rules = draft.models.flatMap(({ relations }) =>
    [...relations.values()].flatMap(({ on_update: rule }) => rule ?? []),
  );
  const onUpdate = isMost(rules.map((rule) => rule === 'cascade')) ? 'cascade' : 'restrict';
  const models = draft.models.map((model): DraftModel => {
    const relations = [...model.relations].map(([name, { on_update: rule, ...relation }]) => {
      return [name, rule === onUpdate ? relation : { ...relation, on_update: rule }] as const;
    });
    return { ...model, relations: new Map(relations) };
  });
  return { ...draft, models, onUpdate, times: isMost(zoneless) ? 'timestamp' : undefined };
}

const isMost = (all: readonly boolean[]) => 2 * all.filter(Boolean).length > all.length;
