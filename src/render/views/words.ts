import { isAssigned } from '../../model/writing.ts';
import { hasOwnAnswer, isRestored, looksUp } from '../../model/access.ts';
import { allMembers, type App, hasAccounts, hasAgreement, type Relation } from '../../model/app.ts';
import { code, tsObject, tsValue } from '../typescript.ts';
import { isStamped } from './defaults.ts';
import { isInner } from './schema.ts';
import { timesView } from './times.ts';

/** For which words of the schema, and on which engine, `src/lib` needs code that nothing else would use. */
export function wordsView(app: App) {
  const { models } = app;
  const [members, lookups] = [allMembers(app).length > 0, looksUp(app)];
  const assigned = models.some((model) => model.fields.some((it) => isAssigned(model, it)));
  const innerFields = models.some(({ fields }) => fields.some(isInner));
  const { created, updated } = timesView(app);
  const isSqlite = app.database === 'sqlite';
  const joinModels = models.some(({ relations }) => relations.some(isThroughModel));
  return {
    restores: models.some(isRestored),
    ownAnswers: models.some(hasOwnAnswer),
    /** The codes of a 409. */
    conflicts: code(tsValue(conflictsIn(app))),
    members,
    joinModels,
    assigned,
    innerFields,
    agreement: hasAgreement(app),
    guards: members || hasAgreement(app),
    lookups,
    stamped: models.some((model) => isStamped(model, app)),
    stamps: code(tsObject({ [created]: 'now', [updated]: 'now' })),
    /** What says which values are taken. */
    refusedBy: code(isSqlite ? 'columns' : 'constraint'),
    readsColumns: isSqlite || members,
    writing: code(members ? 'writing' : 'ruleFor'),
  };
}

const conflictsIn = (app: App): readonly string[] => [
  'conflict',
  'in_use',
  ...(app.models.some(isRestored) ? ['not_deleted', 'parent_deleted'] : []),
  ...(hasAccounts(app) ? ['last_admin'] : []),
  ...(allMembers(app).length > 0 ? ['last_member'] : []),
];

const isThroughModel = (relation: Relation) =>
  relation.kind === 'links' && relation.through !== undefined;
