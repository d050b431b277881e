import type { Draft, DraftModel } from './draft.ts';

/** What most keys do is said once, for all of them: relations say what they do otherwise. */
export function withStorage(draft: Omit<Draft, 'onUpdate'>): Draft {
  const rules = draft.models.flatMap(({ relations }) =>
    [...relations.values()].flatMap(({ on_update: rule }) => rule ?? []),
  );
  const cascading = rules.filter((rule) => rule === 'cascade').length;
  const onUpdate = 2 * cascading > rules.length ? 'cascade' : 'restrict';
  const models = draft.models.map((model): DraftModel => {
    const relations = [...model.relations].map(([name, { on_update: rule, ...relation }]) => {
      return [name, rule === onUpdate ? relation : { ...relation, on_update: rule }] as const;
    });
    return { ...model, relations: new Map(relations) };
  });
  return { ...draft, models, onUpdate };
}
