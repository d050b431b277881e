import {
  accessWordsAreKnown,
  assignersAreRoles,
  creatorsOwnOrAssign,
  rolesAreNames,
} from './rules/access.ts';
import {
  columnsAreDistinct,
  membersAreDistinct,
  namesAreDistinct,
  userKeepsItsTimes,
} from './rules/collisions.ts';
import { enumsHaveValues, formerNamesAreFree } from './rules/enums.ts';
import type { Rule } from './rules/facts.ts';
import {
  creatorsCanWriteWhatIsRequired,
  embeddedFieldsExist,
  fieldRulesSaySomething,
} from './rules/field-access.ts';
import { groupsCanDiffer, listedFieldsExist } from './rules/lists.ts';
import {
  appNameIsPackageName,
  madeNamesAreShort,
  namesAreIdentifiers,
  pathIsSegment,
  pathsAreFree,
  prefixIsPath,
  tablesAreFree,
} from './rules/names.ts';
import { modelsAreSingular } from './rules/plurals.ts';
import {
  backfillsAreIds,
  firstRowsArePossible,
  optionsFitTheRelation,
  ownerIsUser,
  targetsExist,
  throughJoinsBoth,
} from './rules/relations.ts';
import {
  decimalsSayTheirDigits,
  optionsAgree,
  optionsFitTheirType,
  typesAreKnown,
} from './rules/types.ts';
import { patternsAreSafe, rangesFitTheirType, valuesFitTheirField } from './rules/values.ts';

/** What a schema has to keep beyond its shape. Each rule reports all that breaks it; their order does not matter. */
export const rules: readonly Rule[] = [
  appNameIsPackageName,
  prefixIsPath,
  pathIsSegment,
  namesAreIdentifiers,
  modelsAreSingular,
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
