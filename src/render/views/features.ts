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
import type { Kind } from '../../types/field-type.ts';
import { code, tsObject, tsString, tsValue } from '../typescript.ts';
import { hasOnlyTimestamps } from './defaults.ts';
import { isInner } from './schema.ts';
import { timesView } from './times.ts';

/** The words of the schema, and the engines, for which `src/lib` needs extra code. */
export function featuresView(app: App) {
  const { models } = app;
  const [members, agreement] = [hasMembers(app), hasAgreement(app)];
  const { created, updated } = timesView(app);
  const isPostgres = app.database === 'postgres';
  // Members use the column names of the rows that make them.
  const ownColumns = members || models.some(({ fields }) => fields.some(hasOwnColumn));
  const assignedOwners = models.some((model) => model.fields.some((it) => isAssignable(it, model)));
  const facts = { column: ownColumns, computed: true, owner: assignedOwners };
  const keptFacts = Object.entries(facts).flatMap(([name, isKept]) => (isKept ? [name] : []));
  return {
    ownColumns,
    members,
    agreement,
    /** What a policy gets and returns as it is. */
    passedThrough: [...(members ? ['gives', 'takes'] : []), ...(agreement ? ['agreement'] : [])],
    writeRule: code(members ? 'writing' : 'ruleFor'),
    assignedOwners,
    keptFacts: code(keptFacts.join(', ')),
    keptFactNames: code(keptFacts.map(tsString).join(' | ')),
    innerFields: models.some(({ fields }) => fields.some(isInner)),
    bytesFields: hasType(app, 'bytes'),
    listFields: hasType(app, 'string[]', 'int[]'),
    joinModels: models.some(({ relations }) => relations.some(isThroughModel)),
    ownAnswers: models.some(hasOwnCreateResponse),
    restorable: models.some(isRestorable),
    readsTables: readsTables(app),
    scatteredLists: hasScatteredLists(app),
    mayHideByChange: mayHideByChange(app),
    onlyTimestamps: models.some((model) => hasOnlyTimestamps(model, app)),
    timestampValues: code(tsObject({ [created]: 'now', [updated]: 'now' })),
    conflicts: code(tsValue(conflictsIn(app))),
    storedNames: !isPostgres && ownColumns,
    readsColumns: members || (!isPostgres && ownColumns),
    uniqueFields: code(printUniqueFields(isPostgres, ownColumns)),
  };
}

const hasType = ({ models }: App, ...kinds: readonly Kind[]) =>
  models.some(({ fields }) => fields.some(({ type }) => kinds.includes(type.kind)));

/** What says which values are taken. */
function printUniqueFields(isPostgres: boolean, ownColumns: boolean): string {
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
