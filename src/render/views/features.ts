import { isAssignable } from '../../model/writing.ts';
import {
  hasOwnCreateResponse,
  hasScatteredLists,
  isRestorable,
  readsTables,
  mayHideByChange,
} from '../../model/access.ts';
import type { App, Field, Relation } from '../../model/app.ts';
import { hasMembers, hasAccounts, hasAgreement, hasSecretLink } from '../../model/app-features.ts';
import type { Kind } from '../../types/field-type.ts';
import { code, tsObject, tsString, tsValue } from '../typescript.ts';
import { hasOnlyTimestamps } from './defaults.ts';
import { printExpressions } from './expressions.ts';
import { hasFieldRules } from './field-type.ts';
import { isInner } from './schema.ts';
import { timesView } from './times.ts';

/** The words of the schema, and the engines, for which `src/lib` needs extra code. */
export function featuresView(app: App) {
  const { models } = app;
  const [members, agreement] = [hasMembers(app), hasAgreement(app)];
  const { created, updated } = timesView(app);
  const flags = listFlags(app);
  const { ownColumns, isPostgres } = flags;
  const assigned = models.some((model) => model.fields.some((it) => isAssignable(it, model)));
  const kept = [...(ownColumns ? ['column'] : []), 'computed', ...(assigned ? ['owner'] : [])];
  return {
    ...flags,
    ...printExpressions(flags),
    assigned,
    keptNames: code(kept.join(', ')),
    keptTypes: code(kept.map(tsString).join(' | ')),
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
    bytesFields: hasType(app, 'bytes'),
    stamped: models.some((model) => hasOnlyTimestamps(model, app)),
    stamps: code(tsObject({ [created]: 'now', [updated]: 'now' })),
    storedNames: !isPostgres && ownColumns,
    uniqueFields: code(printUniqueFields(flags)),
    readsColumns: members || (!isPostgres && ownColumns),
    writing: code(members ? 'writing' : 'ruleFor'),
  };
}

function listFlags(app: App) {
  const { models } = app;
  return {
    fieldRules: hasFieldRules(app),
    isPostgres: app.database === 'postgres',
    joinModels: models.some(({ relations }) => relations.some(isThroughModel)),
    listFields: hasType(app, 'string[]', 'int[]'),
    ownAnswers: models.some(hasOwnCreateResponse),
    // Members use the column names of the rows that make them.
    ownColumns: hasMembers(app) || models.some(({ fields }) => fields.some(hasOwnColumn)),
    secretLinks: hasSecretLink(app),
    twoWays: hasScatteredLists(app),
  };
}

const hasType = ({ models }: App, ...kinds: readonly Kind[]) =>
  models.some(({ fields }) => fields.some(({ type }) => kinds.includes(type.kind)));

/** What says which values are taken. */
function printUniqueFields({ isPostgres, ownColumns }: ReturnType<typeof listFlags>): string {
  if (!isPostgres && !ownColumns) return 'refused.columns';
  return `uniqueFields(resource, refused.${isPostgres ? 'constraint' : 'columns'})`;
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
