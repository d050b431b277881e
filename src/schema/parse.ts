import type { Problem } from './problem.ts';
import { readSource } from './read.ts';
import {
  accessWordsAreKnown,
  assignersAreRoles,
  creatorsOwnOrAssign,
  rolesAreNames,
  creatorsCanWriteWhatIsRequired,
  embeddedFieldsExist,
  fieldRulesSaySomething,
} from './rules/access.ts';
import {
  columnsAreDistinct,
  membersAreDistinct,
  namesAreDistinct,
  userKeepsItsTimes,
} from './rules/collisions.ts';
import { gatherFacts, hasSize, type Rule } from './rules/facts.ts';
import { groupsCanDiffer, listedFieldsExist } from './rules/lists.ts';
import {
  enumsHaveValues,
  formerNamesAreFree,
  appNameIsPackageName,
  madeNamesAreShort,
  namesAreIdentifiers,
  pathIsSegment,
  pathsAreFree,
  prefixIsPath,
  tablesAreFree,
  modelsAreSingular,
} from './rules/names.ts';
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
  patternsAreSafe,
  rangesFitTheirType,
  valuesFitTheirField,
} from './rules/values.ts';
import type { Schema } from './schema.ts';
import { shapeSchema } from './shape-schema.ts';
import { reporter } from './shape.ts';

type Parsed =
  | { readonly schema: Schema; readonly problems: readonly Problem[] }
  | { readonly schema?: never; readonly problems: readonly Problem[] };

/** Text to schema, or everything that is wrong with it, in the file's order. */
export function parseSchema(text: string): Parsed {
  const source = readSource(text);
  if (source.root === undefined) return { problems: source.problems };

  const problems: Problem[] = [...source.problems];
  const report = reporter(problems);
  const schema = shapeSchema(source.root, { path: '', report });
  if (hasSize(schema, report)) {
    const facts = gatherFacts(schema);
    for (const rule of rules) rule(facts, report);
  }

  const ordered = inFileOrder(withoutEchoes(problems));
  if (ordered.some(({ severity }) => severity === 'error')) return { problems: ordered };
  return { schema, problems: ordered };
}

/** A key that is not a text and is unknown as well, as in `null: true`, is one problem: what to write instead is known. */
function withoutEchoes(problems: readonly Problem[]): readonly Problem[] {
  const unknown = problems.filter(({ code }) => code === 'SCF102').map(placeOf);
  return problems.filter(
    (problem) => problem.code !== 'SCF116' || !unknown.includes(placeOf(problem)),
  );
}

function placeOf({ position }: Problem): string {
  return `${position.line}:${position.column}`;
}

/** An alias brings one place up more than once; it is still one problem. */
function inFileOrder(problems: readonly Problem[]): Problem[] {
  const distinct = new Map(problems.map((problem) => [keyOf(problem), problem]));
  return [...distinct.values()].toSorted(
    (left, right) =>
      left.position.line - right.position.line || left.position.column - right.position.column,
  );
}

function keyOf({ code, position, message }: Problem): string {
  return [code, position.line, position.column, message].join(' ');
}

/** What a schema has to keep beyond its shape. Each rule reports all that breaks it; their order does not matter. */
const rules: readonly Rule[] = [
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
