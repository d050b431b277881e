import { isDeepStrictEqual } from 'node:util';
import { admitsAnonymous } from '../../../model/access.ts';
import type { App, Model } from '../../../model/app.ts';
import {
  findField,
  findMemberKind,
  findModel,
  findToOne,
  getField,
} from '../../../model/lookups.ts';
import { type Comparison, dependsOnRow, type Entry, type Operand } from '../../../schema/entry.ts';
import { operationOfVia, type Operation } from '../../../schema/language.ts';
import { readValue } from '../../../types/all.ts';
import { factoryRow } from './example-rows.ts';
import type { Values } from './example-values.ts';
import { type AccessQuestion, questionBehind } from './access-question.ts';

/** Whether a rule admits a visitor; undefined if that depends on something unknown. */
export type Verdict = boolean | undefined;

/** Whether a rule admits a visitor: one of its entries has to, and every entry with `only`. */
export function judge(rule: readonly Entry[], question: AccessQuestion): Verdict {
  if (question.visitor === 'admin') return true;
  const [admitting, narrowing] = [false, true].map((isOnly) =>
    rule.filter(({ only = false }) => only === isOnly).map((entry) => judgeEntry(entry, question)),
  );
  return every([combineVerdicts(admitting ?? []), ...(narrowing ?? [])]);
}

/** Whether a row meets a condition that does not depend on the viewer. */
export const judgeCondition = (
  condition: readonly Comparison[],
  row: Values,
  model: Model,
  app: App,
): Verdict =>
  judge([{ kind: 'public', if: condition }], {
    visitor: 'user',
    operation: 'read',
    model,
    app,
    row,
  });

/** Whether a rule admits a visitor to any row. False if it never does. */
export const judgeAnyRow = (rule: readonly Entry[], question: AccessQuestion): Verdict =>
  judge(rule, { ...question, isOfAnyRow: true });

function judgeEntry(entry: Entry, question: AccessQuestion): Verdict {
  const { result, operation, visitor, isOfAnyRow } = question;
  const { if: before = [] } = entry;
  if (isOfAnyRow) {
    const namesMe = before.some(({ values }) => values.some(({ kind }) => kind === 'me'));
    if (visitor === 'public' && namesMe) return false;
    return every([judgeWho(entry, question), before.length > 0 ? undefined : true]);
  }
  // An entry with `only` has to hold after a change too, unless nothing is sent.
  const isChanged = result !== undefined && operation === 'update';
  const after = isChanged ? [...(entry.after ?? []), ...(entry.only ? before : [])] : [];
  return every([
    judgeWho(entry, question),
    ...before.map((comparison) => judgeComparison(comparison, question)),
    ...after.map((comparison) => judgeComparison(comparison, { ...question, row: result })),
  ]);
}

function judgeWho(entry: Entry, question: AccessQuestion): Verdict {
  const { visitor, operation, model, relatedBy, app } = question;
  if (entry.kind === 'public') return true;
  if (entry.kind === 'via') {
    return judgeBehind(entry.relation, operationOfVia(entry, operation), question);
  }
  if (question.isOfAnyRow && dependsOnRow(entry))
    return visitor !== 'public' || admitsAnonymous(entry, model, app, operation)
      ? undefined
      : false;
  if (entry.kind === 'link') return question.hasLink ?? false;
  if (entry.kind === 'members') return judgeMembers(entry, question);
  if (visitor === 'public') return false;
  const isMaker = operation === 'create';
  switch (entry.kind) {
    case 'authenticated':
      return true;
    // Links and `shares` have separate tests.
    case 'shares':
      return false;
    case 'role':
      return entry.role === (visitor === 'owner' ? 'user' : visitor);
    case 'is':
      if (relatedBy?.kind === 'is' && relatedBy.relation === entry.relation) return true;
      return entry.relation === model.owner && (visitor === 'owner' || isMaker);
    default:
      return visitor === 'owner' || (isMaker && entry.kind === 'owner');
  }
}

/** Rows have only the members that a test gives them, except where rows make members themselves. */
function judgeMembers(
  { word, roles }: Extract<Entry, { kind: 'members' }>,
  { relatedBy, isMaybeMember, model }: AccessQuestion,
): Verdict {
  if (isMaybeMember) return undefined;
  if (relatedBy?.kind !== 'members') return false;
  const [wanted, had] = [word, relatedBy.word].map((each) => findMemberKind(each, model));
  // One row may make members of several kinds.
  if (wanted !== had) return wanted?.by === had?.by ? undefined : false;
  if (relatedBy.isCounted === false) return false;
  return roles.length === 0 || roles.includes(relatedBy.role ?? '');
}

/** Whether a visitor may perform an operation on the row that a relation leads to. */
export function judgeBehind(name: string, operation: Operation, question: AccessQuestion): Verdict {
  const { rule, isLed, question: there } = questionBehind(name, operation, question);
  if (!question.isOfAnyRow) return isLed && judge(rule, there);
  return judgeAnyRow(rule, there) === false ? false : undefined;
}

function judgeComparison(comparison: Comparison, question: AccessQuestion): Verdict {
  const { path, operator, values } = comparison;
  const { model, row = {}, visitor, operation, app } = question;
  if (values.some((each) => isNullOfViewer(each, visitor, app))) return false;
  const [name = '', ...others] = path;
  if (others.length > 0 && operator !== 'is null') {
    const there = questionBehind(name, operation, question);
    return there.isLed && judgeComparison({ ...comparison, path: others }, there.question);
  }
  const field = findField(model, name);
  if (others.length > 0 || field === undefined || !Object.hasOwn(row, name)) return undefined;
  const value = row[name] ?? null;
  if (operator === 'is null') return value === null;
  if (operator === 'is not null') return value !== null;
  if (value === null) return false;
  if (values.some(({ kind }) => kind === 'now')) return judgeTime(operator, String(value));
  const literals = values.flatMap((operand) =>
    operand.kind === 'literal' ? [readValue(field.type, operand.text)] : [],
  );
  if (literals.length < values.length) return undefined;
  const isSame = literals.some((each) => isDeepStrictEqual(each, value));
  if (operator === '=' || operator === 'in') return isSame;
  return operator === '!=' ? !isSame : undefined;
}

/** Times in tests are in the distant past or future. */
function judgeTime(operator: Comparison['operator'], value: string): Verdict {
  const [isPast, isAhead] = [value <= latestPast, value >= futureTime];
  if (isPast === isAhead) return undefined;
  if (operator === '<' || operator === '<=') return isPast;
  return operator === '>' || operator === '>=' ? isAhead : undefined;
}

/** For conditions that compare with now. */
export const futureTime = '2999-01-01T00:00:00.000Z';
export const pastTime = '2000-01-01T00:00:00.000Z';
const latestPast = '2025';

/** Whether an operand is null: an anonymous visitor has no values, and users in tests have only required ones. */
function isNullOfViewer(operand: Operand, visitor: string, app: App): boolean {
  if (operand.kind !== 'me') return false;
  const user = visitor === 'public' ? undefined : findModel('User', app);
  if (user === undefined) return true;
  const [name = '', ...others] = operand.path;
  const relation = findToOne(user, name);
  if (relation !== undefined) return getField(user, relation.key).nullable;
  return others.length === 0 && factoryRow(user, app)[name] === null;
}

export function combineVerdicts(all: readonly Verdict[]): Verdict {
  if (all.includes(true)) return true;
  return all.includes(undefined) ? undefined : false;
}

function every(all: readonly Verdict[]): Verdict {
  if (all.includes(false)) return false;
  return all.includes(undefined) ? undefined : true;
}
