import { accessWordsAreKnown, rolesAreNames } from './rules/access.ts';
import { appNameIsPackageName, pathIsSegment, prefixIsPath } from './rules/app.ts';
import { namesAreDistinct } from './rules/collisions.ts';
import { firstRowsArePossible } from './rules/cycles.ts';
import { enumsHaveValues } from './rules/enums.ts';
import type { Rule } from './rules/facts.ts';
import {
  creatorsCanWriteWhatIsRequired,
  embeddedFieldsExist,
  fieldRulesSaySomething,
} from './rules/field-access.ts';
import { backfillsAreIds } from './rules/keys.ts';
import { namesAreIdentifiers } from './rules/legal-names.ts';
import { listedFieldsExist } from './rules/lists.ts';
import { columnsAreDistinct, membersAreDistinct, userKeepsItsTimes } from './rules/members.ts';
import { assignersAreRoles, creatorsOwnOrAssign } from './rules/owners.ts';
import { patternsAreSafe } from './rules/patterns.ts';
import { rangesFitTheirType } from './rules/ranges.ts';
import {
  optionsFitTheRelation,
  ownerIsUser,
  targetsExist,
  throughJoinsBoth,
} from './rules/relations.ts';
import { formerNamesAreFree } from './rules/renames.ts';
import { madeNamesAreShort, pathsAreFree, tablesAreFree } from './rules/reserved.ts';
import {
  decimalsSayTheirDigits,
  optionsAgree,
  optionsFitTheirType,
  typesAreKnown,
} from './rules/types.ts';
import { groupsCanDiffer } from './rules/unique-groups.ts';
import { valuesFitTheirField } from './rules/values.ts';

/** What a schema has to keep beyond its shape. Each rule reports all that breaks it; their order does not matter. */
export const rules: readonly Rule[] = [
  appNameIsPackageName,
  prefixIsPath,
  pathIsSegment,
  namesAreIdentifiers,
  enumsHaveValues,
  namesAreDistinct,
  tablesAreFree,
  pathsAreFree,
  madeNamesAreShort,
  membersAreDistinct,
  columnsAreDistinct,
  userKeepsItsTimes,
  typesAreKnown,
  decimalsSayTheirDigits,
  rangesFitTheirType,
  optionsFitTheirType,
  optionsAgree,
  patternsAreSafe,
  valuesFitTheirField,
  targetsExist,
  optionsFitTheRelation,
  ownerIsUser,
  throughJoinsBoth,
  firstRowsArePossible,
  listedFieldsExist,
  groupsCanDiffer,
  rolesAreNames,
  accessWordsAreKnown,
  fieldRulesSaySomething,
  creatorsCanWriteWhatIsRequired,
  embeddedFieldsExist,
  assignersAreRoles,
  creatorsOwnOrAssign,
  formerNamesAreFree,
  backfillsAreIds,
];
