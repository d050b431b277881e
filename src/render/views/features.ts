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
import { code, tsObject, tsString, tsValue } from '../typescript.ts';
import { hasOnlyTimestamps } from './defaults.ts';
import { isInner } from './schema.ts';
import { timesView } from './times.ts';

/** The words of the schema, and the engines, for which `src/lib` needs extra code. */
export function featuresView(app: App) {
  const { models } = app;
  const [members, agreement] = [hasMembers(app), hasAgreement(app)];
  const { created, updated } = timesView(app);
  const types = new Set(models.flatMap(({ fields }) => fields.map(({ type }) => type.kind)));
  // Members use the column names of the rows that make them.
  const ownColumns = members || models.some(({ fields }) => fields.some(hasOwnColumn));
  const assigned = models.some((model) => model.fields.some((it) => isAssignable(it, model)));
  const kept = [...(ownColumns ? ['column'] : []), 'computed', ...(assigned ? ['owner'] : [])];
  const isSqlite = app.database === 'sqlite';
  return {
    assigned,
    keptNames: code(kept.join(', ')),
    keptTypes: code(kept.map(tsString).join(' | ')),
    joinModels: models.some(({ relations }) => relations.some(isThroughModel)),
    listFields: types.has('string[]') || types.has('int[]'),
    ownAnswers: models.some(hasOwnCreateResponse),
    ownColumns,
    twoWays: hasScatteredLists(app),
    restores: models.some(isRestorable),
    /** What a policy hands on as it was given. */
    handedOn: [...(members ? ['gives', 'takes'] : []), ...(agreement ? ['agreement'] : [])],
    conflicts: code(tsValue(conflictsIn(app))),
    members,
    innerFields: models.some(({ fields }) => fields.some(isInner)),
    agreement,
    guards: members || agreement,
    lookups: readsTables(app),
    outOfSight: mayHideByChange(app),
    bytesFields: types.has('bytes'),
    stamped: models.some((model) => hasOnlyTimestamps(model, app)),
    stamps: code(tsObject({ [created]: 'now', [updated]: 'now' })),
    storedNames: isSqlite && ownColumns,
    uniqueFields: code(printUniqueFields({ isSqlite, ownColumns })),
    readsColumns: members || (isSqlite && ownColumns),
    writing: code(members ? 'writing' : 'ruleFor'),
  };
}

/** What says which values are taken. */
function printUniqueFields({
  isSqlite,
  ownColumns,
}: Readonly<Record<'isSqlite' | 'ownColumns', boolean>>): string {
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
