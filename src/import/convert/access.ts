import type { DraftModel, DraftRelation } from '../draft.ts';
import type { Notebook } from '../notes.ts';

/** Makes one relation optional in each circle of required relations, which would make a first row impossible. */
export function breakCircles(
  models: readonly DraftModel[],
  notes: Notebook,
): readonly DraftModel[] {
  const byName = new Map(models.map((model) => [model.name, model]));
  const done = new Set<string>();
  const visit = (name: string, above: readonly string[]): void => {
    const model = byName.get(name);
    if (model === undefined || done.has(name)) return;
    const relations = new Map(model.relations);
    for (const [relationName, relation] of model.relations) {
      if (!isRequiredRelation(relation)) continue;
      if ([...above, name].includes(relation.to)) {
        notes.note(
          'changed',
          name,
          `${name}.${relationName}`,
          'optional, because required relations would form a cycle',
        );
        relations.set(relationName, { ...relation, optional: true });
      } else {
        visit(relation.to, [...above, name]);
      }
    }
    byName.set(name, { ...model, relations });
    done.add(name);
  };
  for (const { name } of models) visit(name, []);
  return models.map((model) => byName.get(model.name) ?? model);
}

const isRequiredRelation = ({ optional, many }: DraftRelation) =>
  optional !== true && many !== true;

/** Guesses restrictively, since only the old code knew who may do what. */
export function guessAccess(models: readonly DraftModel[], notes: Notebook): readonly DraftModel[] {
  const byName = new Map(models.map((model) => [model.name, model]));
  const findParent = (model: DraftModel) =>
    [...model.relations].find(
      ([, relation]) =>
        isRequiredRelation(relation) && relation.on_delete === 'cascade' && isReached(relation.to),
    )?.[0];
  const isReached = (name: string): boolean => {
    const model = byName.get(name);
    if (model === undefined || name === 'User') return false;
    return findOwner(model) !== undefined || findParent(model) !== undefined;
  };
  return models.map((model) => {
    if (model.name === 'User') return model;
    const [owner, parent] = [findOwner(model), findParent(model)];
    if (owner !== undefined) {
      notes.note('access', model.name, model.name, `\`owner: ${owner}\``);
      return { ...model, owner, access: { read: 'owner' } };
    }
    if (parent !== undefined) {
      notes.note('access', model.name, model.name, `\`via ${parent}\``);
      return { ...model, access: { all: `via ${parent}.update`, read: `via ${parent}` } };
    }
    notes.note('access', model.name, model.name, byName.has('User') ? '`admin`' : withoutUsers);
    return { ...model, access: { read: 'admin' } };
  });
}

const withoutUsers =
  '`admin`, for accounts that the project adds, because nothing here looks like users. If there should be none, write `auth: none`, and give each model `access: { all: public }` and its `endpoints`';

/** The required relation to a user, if there is exactly one. */
function findOwner({ relations }: DraftModel): string | undefined {
  const found = [...relations].filter(
    ([, relation]) => isRequiredRelation(relation) && relation.to === 'User',
  );
  return found.length === 1 ? found[0]?.[0] : undefined;
}
