import type { Problem } from './problem.ts';
import { readSource } from './read.ts';
import { enumsHaveValues, enumTypesAreDistinct } from './rules/enums.ts';
import * as fieldAccess from './rules/field-access.ts';
import * as fields from './rules/fields.ts';
import { formerNamesAreFree } from './rules/former-names.ts';
import * as properties from './rules/properties.ts';
import * as owners from './rules/owners.ts';
import { accessWordsAreKnown } from './rules/access.ts';
import * as effect from './rules/access-effect.ts';
import { checksCanHold, checksRevealNothing } from './rules/checks.ts';
import { rowsAreNotTakenAway } from './rules/moved-rows.ts';
import { sharingIsAgreed } from './rules/sharing.ts';
import { ownValuesAreGiven } from './rules/own-values.ts';
import { viaLeadsSomewhere } from './rules/via.ts';
import { nobodyIsNamed, opennessIsMeant, somethingIsServed } from './rules/without-accounts.ts';
import { namesAreDistinct } from './rules/collisions.ts';
import type { SchemaRule } from './facts.ts';
import { gatherFacts } from './gather-facts.ts';
import { hasSize } from './rules/size.ts';
import * as groups from './rules/groups.ts';
import { linksAreUsed } from './rules/links.ts';
import { backfillsAreIds, keysAreRelations } from './rules/key-values.ts';
import * as lists from './rules/lists.ts';
import { makersBecomeMembers } from './rules/first-members.ts';
import { membersAreFound } from './rules/members.ts';
import { takenMembersAreFound } from './rules/member-circles.ts';
import * as addresses from './rules/addresses.ts';
import * as names from './rules/names.ts';
import * as relations from './rules/relations.ts';
import { rolesAreNames } from './rules/roles.ts';
import * as values from './rules/values.ts';
import { type Schema, shapeSchema } from './keys/top.ts';
import { remember } from '../remember.ts';
import { makeReporter } from './scope.ts';

type Parsed =
  | { readonly schema: Schema; readonly problems: readonly Problem[] }
  | { readonly schema?: never; readonly problems: readonly Problem[] };

/** Parses a schema, or returns all its problems in the order of the file. Remembers the result for each text. */
export const parseSchema = remember((text): Parsed => {
  const source = readSource(text);
  if (source.root === undefined) return { problems: source.problems };

  const problems: Problem[] = [...source.problems];
  const report = makeReporter(problems);
  const schema = shapeSchema(source.root, { path: '', report });
  if (hasSize(schema, report)) {
    const facts = gatherFacts(schema);
    const others = facts.hasAccounts ? rulesOfPeople : rulesWithoutAccounts;
    for (const rule of [...schemaRules, ...others]) rule(facts, report);
    // Warnings are only useful for a valid schema.
    if (!problems.some(isError)) for (const rule of advice) rule(facts, report);
  }

  const ordered = inFileOrder(problems);
  if (ordered.some(isError)) return { problems: ordered };
  return { schema, problems: ordered };
});

const isError = ({ severity }: Problem) => severity === 'error';

/** An alias makes one place be read several times, so a problem may be reported twice. */
function inFileOrder(problems: readonly Problem[]): Problem[] {
  const distinct = new Map(
    problems.map((it) => [
      [it.code, it.position.line, it.position.column, it.message].join(' '),
      it,
    ]),
  );
  return [...distinct.values()].toSorted(
    (left, right) =>
      left.position.line - right.position.line || left.position.column - right.position.column,
  );
}

/** Rules for all schemas, in any order. */
const schemaRules: readonly SchemaRule[] = [
  addresses.appNameIsPackageName,
  addresses.prefixIsPath,
  addresses.pathIsSegment,
  names.namesAreIdentifiers,
  names.modelsAreSingular,
  enumsHaveValues,
  enumTypesAreDistinct,
  namesAreDistinct,
  names.tablesAreFree,
  addresses.pathsAreFree,
  names.madeNamesAreShort,
  properties.propertiesAreDistinct,
  properties.columnsAreDistinct,
  properties.userKeepsItsKey,
  fields.typesAreKnown,
  fields.decimalsSayTheirDigits,
  values.rangesFitTheirType,
  fields.optionsFitTheirType,
  fields.optionsAgree,
  values.patternsAreSafe,
  values.valuesFitTheirField,
  relations.targetsExist,
  relations.optionsFitTheRelation,
  relations.throughJoinsBoth,
  relations.circlesHaveAWayIn,
  lists.listedFieldsExist,
  groups.groupsAreDistinct,
  groups.groupsCanDiffer,
  groups.conditionsAreOfTheRow,
  checksCanHold,
  relations.keysCanAgree,
  lists.embeddedFieldsExist,
  formerNamesAreFree,
  backfillsAreIds,
];

/** Rules for schemas with accounts. */
const rulesOfPeople: readonly SchemaRule[] = [
  properties.userKeepsItsTimes,
  owners.ownerIsUser,
  rolesAreNames,
  accessWordsAreKnown,
  viaLeadsSomewhere,
  fieldAccess.fieldRulesSaySomething,
  fieldAccess.creatorsCanWriteWhatIsRequired,
  membersAreFound,
  takenMembersAreFound,
  makersBecomeMembers,
  linksAreUsed,
  checksRevealNothing,
  owners.assignersAreRoles,
  owners.somebodyAssigns,
  owners.creatorsCanBeOwners,
  owners.creatorsOwnOrAssign,
];

const rulesWithoutAccounts: readonly SchemaRule[] = [
  nobodyIsNamed,
  somethingIsServed,
  opennessIsMeant,
];

/** Warnings about valid schemas that are probably not meant. */
const advice: readonly SchemaRule[] = [
  keysAreRelations,
  effect.entriesMatter,
  effect.fieldRulesMatter,
  effect.changersRead,
  effect.firstRowsAreMade,
  ownValuesAreGiven,
  rowsAreNotTakenAway,
  sharingIsAgreed,
];
