import { isDeepStrictEqual } from 'node:util';
import { admitsAnonymous } from '../../../model/access.ts';
import type { App, Model } from '../../../model/app.ts';
import { findField, findMemberKind, findModel, findToOne } from '../../../model/lookups.ts';
import { type Comparison, dependsOnRow, type Entry, type Operand } from '../../../schema/entry.ts';
import { operationOfVia, type Operation } from '../../../schema/language.ts';
import { readValue } from '../../../types/all.ts';
import { madeRow } from './example-rows.ts';
import type { Values } from './example-values.ts';
import { type AccessQuestion, through } from './question.ts';

/** Whether a rule admits; undefined where that depends on what a test does not say. */
export type Verdict = boolean | undefined;

/** Whether a rule admits a visitor to a row: by one of its entries, and by every `only` as well. */
export function judge(rule: readonly Entry[], question: AccessQuestion): Verdict {
  if (question.visitor === 'admin') return true;
  const [admitting, narrowing] = [false, true].map((isOnly) =>
    rule.filter(({ only = false }) => only === isOnly).map((entry) => ofEntry(entry, question)),
  );
  return every([some(admitting ?? []), ...(narrowing ?? [])]);
}

/** Whether conditions that name no viewer hold for a row. */
export const judgeRow = (
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

/** Whether it does so for any row; false if it can never admit them. */
export const judgeAnyRow = (rule: readonly Entry[], question: AccessQuestion): Verdict =>
  judge(rule, { ...question, isOfAnyRow: true });

function ofEntry(entry: Entry, question: AccessQuestion): Verdict {
  const { result, operation, visitor, isOfAnyRow } = question;
  const { if: before = [] } = entry;
  if (isOfAnyRow) {
    const isMine = before.some(({ values }) => values.some(({ kind }) => kind === 'me'));
    if (visitor === 'public' && isMine) return false;
    return every([ofWho(entry, question), before.length > 0 ? undefined : true]);
  }
  // An `only` has to hold after a change, too; if nothing is sent, it is not checked again.
  const isChanged = result !== undefined && operation === 'update';
  const after = isChanged ? [...(entry.after ?? []), ...(entry.only ? before : [])] : [];
  return every([
    ofWho(entry, question),
    ...before.map((comparison) => ofComparison(comparison, question)),
    ...after.map((comparison) => ofComparison(comparison, { ...question, row: result })),
  ]);
}

function ofWho(entry: Entry, question: AccessQuestion): Verdict {
  const { visitor, operation, model, standing, app } = question;
  if (entry.kind === 'public') return true;
  if (entry.kind === 'via') {
    return judgeThrough(entry.relation, operationOfVia(entry, operation), question);
  }
  if (question.isOfAnyRow && dependsOnRow(entry))
    return visitor !== 'public' || admitsAnonymous(entry, model, app, operation)
      ? undefined
      : false;
  if (entry.kind === 'link') return question.isByLink ?? false;
  if (entry.kind === 'members') return ofMembers(entry, question);
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
      if (standing?.kind === 'is' && standing.relation === entry.relation) return true;
      return entry.relation === model.owner && (visitor === 'owner' || isMaker);
    default:
      return visitor === 'owner' || (isMaker && entry.kind === 'owner');
  }
}

/**
 * The rows that the tests make have no members, but those that they give them, and where rows make members themselves.
 */
function ofMembers(
  { word, roles }: Extract<Entry, { kind: 'members' }>,
  { standing, isNamed, model }: AccessQuestion,
): Verdict {
  if (isNamed) return undefined;
  if (standing?.kind !== 'members') return false;
  const [wanted, had] = [word, standing.word].map((each) => findMemberKind(each, model));
  // One row may make several kinds of members.
  if (wanted !== had) return wanted?.by === had?.by ? undefined : false;
  if (standing.counts === false) return false;
  return roles.length === 0 || roles.includes(standing.role ?? '');
}

/** Whether a visitor may do that with the row to which a relation leads. */
export function judgeThrough(
  name: string,
  operation: Operation,
  question: AccessQuestion,
): Verdict {
  const { rule, isLed, question: there } = through(name, operation, question);
  if (!question.isOfAnyRow) return isLed && judge(rule, there);
  return judgeAnyRow(rule, there) === false ? false : undefined;
}

function ofComparison(comparison: Comparison, question: AccessQuestion): Verdict {
  const { path, operator, values } = comparison;
  const { model, row = {}, visitor, operation, app } = question;
  if (values.some((each) => isNullOfViewer(each, visitor, app))) return false;
  const [name = '', ...others] = path;
  if (others.length > 0 && operator !== 'is null') {
    const there = through(name, operation, question);
    return there.isLed && ofComparison({ ...comparison, path: others }, there.question);
  }
  const field = findField(model, name);
  if (others.length > 0 || field === undefined || !Object.hasOwn(row, name)) return undefined;
  const value = row[name] ?? null;
  if (operator === 'is null') return value === null;
  if (operator === 'is not null') return value !== null;
  if (value === null) return false;
  if (values.some(({ kind }) => kind === 'now')) return ofTime(operator, String(value));
  const literals = values.flatMap((operand) =>
    operand.kind === 'literal' ? [readValue(field.type, operand.text)] : [],
  );
  if (literals.length < values.length) return undefined;
  const isSame = literals.some((each) => isDeepStrictEqual(each, value));
  if (operator === '=' || operator === 'in') return isSame;
  return operator === '!=' ? !isSame : undefined;
}

/** Times in tests are in the distant past or future. */
function ofTime(operator: Comparison['operator'], value: string): Verdict {
  const [isPast, isAhead] = [value <= latestPast, value >= later];
  if (isPast === isAhead) return undefined;
  if (operator === '<' || operator === '<=') return isPast;
  return operator === '>' || operator === '>=' ? isAhead : undefined;
}

/** For conditions that speak of now. */
export const later = '2999-01-01T00:00:00.000Z';
export const earlier = '2000-01-01T00:00:00.000Z';
const latestPast = '2025';

/** Anonymous visitors have no values; test users have only the required ones. */
function isNullOfViewer(operand: Operand, visitor: string, app: App): boolean {
  if (operand.kind !== 'me') return false;
  const user = visitor === 'public' ? undefined : findModel('User', app);
  if (user === undefined) return true;
  const [name = '', ...others] = operand.path;
  const relation = findToOne(user, name);
  if (relation !== undefined) return relation.optional;
  return others.length === 0 && madeRow(user, app)[name] === null;
}

function some(all: readonly Verdict[]): Verdict {
  if (all.includes(true)) return true;
  return all.includes(undefined) ? undefined : false;
}

function every(all: readonly Verdict[]): Verdict {
  if (all.includes(false)) return false;
  return all.includes(undefined) ? undefined : true;
}
