import { isAssignable } from '../../model/writing.ts';
import {
  hasOwnCreateResponse,
  hasScatteredLists,
  isRestorable,
  readsTables,
  mayHideByChange,
} from '../../model/access.ts';
import type { App, Field, Relation } from '../../model/app.ts';
import { hasMembers, hasAccounts, hasAgreement } from '../../model/app-features.ts';
import { code, tsObject, tsValue } from '../typescript.ts';
import { hasOnlyTimestamps } from './defaults.ts';
import { isInner } from './schema.ts';
import { timesView } from './times.ts';

/** The words of the schema, and the engines, for which `src/lib` needs extra code. */
export function featuresView(app: App) {
  const { models } = app;
  const [members, lookups] = [hasMembers(app), readsTables(app)];
  const [twoWays, outOfSight] = [hasScatteredLists(app), mayHideByChange(app)];
  const assigned = models.some((model) => model.fields.some((it) => isAssignable(it, model)));
  const innerFields = models.some(({ fields }) => fields.some(isInner));
  const { created, updated } = timesView(app);
  const types = new Set(models.flatMap(({ fields }) => fields.map(({ type }) => type.kind)));
  const listFields = types.has('string[]') || types.has('int[]');
  // Members use the column names of the rows that make them.
  const ownColumns = members || models.some(({ fields }) => fields.some(hasOwnColumn));
  const isSqlite = app.database === 'sqlite';
  const joinModels = models.some(({ relations }) => relations.some(isThroughModel));
  const ownAnswers = models.some(hasOwnCreateResponse);
  return {
    assigned,
    joinModels,
    listFields,
    ownAnswers,
    ownColumns,
    twoWays,
    restores: models.some(isRestorable),
    /** Operators of filters that take several values. */
    severalValues: code(
      listFields
        ? '\\`in\\`, \\`nin\\`, \\`between\\`, \\`has_any\\` and \\`has_all\\`'
        : '\\`in\\`, \\`nin\\` and \\`between\\`',
    ),
    /** What a policy hands on as it was given. */
    handedOn: [...(members ? ['gives', 'takes'] : []), ...(hasAgreement(app) ? ['agreement'] : [])],
    conflicts: code(tsValue(conflictsIn(app))),
    members,
    innerFields,
    agreement: hasAgreement(app),
    guards: members || hasAgreement(app),
    lookups,
    outOfSight,
    bytesFields: types.has('bytes'),
    stamped: models.some((model) => hasOnlyTimestamps(model, app)),
    stamps: code(tsObject({ [created]: 'now', [updated]: 'now' })),
    storedNames: isSqlite && ownColumns,
    uniqueFields: code(uniqueFieldsOf(isSqlite, ownColumns)),
    readsColumns: members || (isSqlite && ownColumns),
    writing: code(members ? 'writing' : 'ruleFor'),
  };
}

/** What says which values are taken. */
function uniqueFieldsOf(isSqlite: boolean, ownColumns: boolean): string {
  if (isSqlite && !ownColumns) return 'refused.columns';
  return `uniqueFields(resource, refused.${isSqlite ? 'columns' : 'constraint'})`;
}

const conflictsIn = (app: App): readonly string[] => [
  'conflict',
  'in_use',
  ...(app.models.some(isRestorable) ? ['not_deleted', 'parent_deleted'] : []),
  ...(hasAccounts(app) ? ['last_admin'] : []),
  ...(hasMembers(app) ? ['last_member'] : []),
];

const hasOwnColumn = ({ name, column }: Field) => name !== column;

const isThroughModel = (relation: Relation) =>
  relation.kind === 'links' && relation.through !== undefined;
