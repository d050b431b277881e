import { isAssigned } from '../../model/writing.ts';
import {
  hasOwnAnswer,
  hasScatteredLists,
  isRestored,
  looksUp,
  mayLoseSight,
} from '../../model/access.ts';
import {
  allMembers,
  type App,
  type Field,
  hasAccounts,
  hasAgreement,
  type Relation,
} from '../../model/app.ts';
import { code, tsObject, tsValue } from '../typescript.ts';
import { isStamped } from './defaults.ts';
import { isInner } from './schema.ts';
import { timesView } from './times.ts';

/** For which words of the schema, and on which engine, `src/lib` needs code that nothing else would use. */
export function wordsView(app: App) {
  const { models } = app;
  const [members, lookups] = [allMembers(app).length > 0, looksUp(app)];
  const [twoWays, outOfSight] = [hasScatteredLists(app), mayLoseSight(app)];
  const assigned = models.some((model) => model.fields.some((it) => isAssigned(model, it)));
  const innerFields = models.some(({ fields }) => fields.some(isInner));
  const { created, updated } = timesView(app);
  const types = new Set(models.flatMap(({ fields }) => fields.map(({ type }) => type.kind)));
  const listFields = types.has('string[]') || types.has('int[]');
  // Those of members are called as the rows that make them have it.
  const ownColumns = members || models.some(({ fields }) => fields.some(hasOwnColumn));
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
    outOfSight,
    twoWays,
    listFields,
    bytesFields: types.has('bytes'),
    stamped: models.some((model) => isStamped(model, app)),
    stamps: code(tsObject({ [created]: 'now', [updated]: 'now' })),
    /** What says which values are taken. */
    refusedBy: code(isSqlite ? 'columns' : 'constraint'),
    ownColumns,
    storedNames: isSqlite && ownColumns,
    sameNames: isSqlite && !ownColumns,
    readsColumns: members || (isSqlite && ownColumns),
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

const hasOwnColumn = ({ name, column }: Field) => name !== column;

const isThroughModel = (relation: Relation) =>
  relation.kind === 'links' && relation.through !== undefined;
