import { hasOwnAnswer, isRestored, looksUp } from '../../model/access.ts';
import { allMembers, type App, hasAgreement, type Relation } from '../../model/app.ts';
import { code } from '../typescript.ts';

/** For which words of the schema `src/lib` needs code that nothing else would use. */
export function wordsView(app: App) {
  const { models } = app;
  const [members, lookups] = [allMembers(app).length > 0, looksUp(app)];
  const joinModels = models.some(({ relations }) => relations.some(isThroughModel));
  return {
    restores: models.some(isRestored),
    ownAnswers: models.some(hasOwnAnswer),
    members,
    noMembers: !members,
    joinModels,
    noJoinModels: !joinModels,
    agreement: hasAgreement(app),
    guards: members || hasAgreement(app),
    lookups,
    noLookups: !lookups,
    writing: code(members ? 'writing' : 'ruleFor'),
  };
}

const isThroughModel = (relation: Relation) =>
  relation.kind === 'links' && relation.through !== undefined;
