import { isDeepStrictEqual } from 'node:util';
import { admits, isRestorable, needsAccount } from '../../../model/access.ts';
import { type App, isUser, type Model } from '../../../model/app.ts';
import { hasAccounts } from '../../../model/app-features.ts';
import { findMemberKind, findRelationByKey, getTarget } from '../../../model/lookups.ts';
import { isUpdatable, isRequired, clientKeys } from '../../../model/writing.ts';
import { type Operation, operationDetails, operations } from '../../../schema/language.ts';
import { code, type Code, tsValue } from '../../typescript.ts';
import { givenBy, modelOfMembers } from '../members.ts';
import { sharedOnly } from '../policy.ts';
import { tiedTogether } from './agreeing.ts';
import { exampleRows } from './example-rows.ts';
import type { Values } from './example-values.ts';
import { spellTie, tiesTo } from './standing.ts';
import { judge, judgeAnyRow, judgeThrough, type Verdict } from './verdict.ts';
import { isMember, type AccessQuestion } from './question.ts';
import type { Entry } from '../../../schema/entry.ts';
import type { Json } from '../../../types/field-type.ts';

/** A status, or whether a list shows the row. */
export type Expectation = 200 | 201 | 204 | 401 | 403 | 404 | 422 | 'shown' | 'hidden';

/** The answer to each visitor: `list: { public: 'shown', owner: 'shown', … }`. */
export function accessTable(model: Model, app: App): Code {
  const shown = operations.filter((operation) => isAsked(operation, model));
  const rows = shown.flatMap((operation) => {
    const answers = answersTo(operation, model, app);
    return answers === undefined ? [] : [[operation, answers]];
  });
  return code(tsValue(Object.fromEntries(rows)));
}

/** A key to a row matters only where one is sent: when others are created. */
export function isAsked(operation: Operation, model: Model): boolean {
  if (operation === 'refer') return false;
  return operation === 'restore' ? isRestorable(model) : model.endpoints.includes(operation);
}

/** `{ public: 401, owner: 200, user: 403, admin: 200 }`, but for what depends on more than the test says. */
function answersTo(operation: Operation, model: Model, app: App): Json | undefined {
  const { full: row } = exampleRows(model, app);
  if (!hasAccounts(app)) return answerTo({ visitor: 'public', operation, model, app, row });
  const answers = everybody(model, app).flatMap(({ name, ...who }) => {
    const answer = answerTo({ ...who, operation, model, app, row });
    return answer === undefined ? [] : [[name, answer]];
  });
  return Object.fromEntries(answers);
}

/** The visitors of the tests: each role, and people related to a row. */
export function everybody(model: Model, app: App) {
  const plain = allVisitors(model, app).map((visitor) => ({ name: visitor, visitor }));
  const tied = tiesTo(model, app).map((standing) => ({
    name: spellTie(standing),
    visitor: 'user',
    standing,
  }));
  return [...plain, ...tied];
}

function allVisitors(model: Model, { roles }: App): readonly string[] {
  const isOwned = model.owner !== undefined || isUser(model);
  return ['public', ...(isOwned ? ['owner'] : []), ...roles];
}

/** What is asked of one row that is there. */
export const ofRows = ['read', 'update', 'delete'] as const;

/** What the tests of a model ask: with the same rule, a list gives the same answer as reading. */
export function differingOperations(model: Model): readonly Operation[] {
  const { list, read } = model.access;
  const isListed = isAsked('list', model) && isDeepStrictEqual(list, read);
  return operations.filter((it) => isAsked(it, model) && !(it === 'read' && isListed));
}

/** The answer to somebody who is not admitted to a row that is there. */
export const refusalOf = (operation: Operation): Expectation =>
  operation === 'list' ? 'hidden' : operation === 'read' ? 404 : 403;

/**
 * In the order in which the server looks: could any row be the visitor's, is the row seen, is the operation allowed.
 */
export function answerTo(question: AccessQuestion): Expectation | undefined {
  const { visitor, operation, model } = question;
  const may = (wanted: Operation) => {
    const rule = judge(model.access[wanted], { ...question, operation: wanted });
    const isGuarded = visitor !== 'admin' && operationDetails[wanted].via === 'update';
    return rule === true && isGuarded && !isOfRank(question) ? undefined : rule;
  };
  // A deleted user is no longer signed in.
  if (operation === 'restore' && visitor === 'owner' && isUser(model)) return 401;
  const refused = visitor === 'public' ? 401 : 403;
  if (visitor === 'public' && needsAccount(model, question.app, operation)) return 401;
  const hasRow = ofRows.some((each) => each === operation);
  const isShut = judgeAnyRow(model.access[operation], question) === false;
  if (isShut && (visitor === 'public' || !hasRow)) return refused;
  if (operation === 'delete' && isHeld(question)) return undefined;
  if (operation === 'list') return either(may('list'), 'shown', 'hidden');
  if (operation === 'create') return answerToBody(question, may('create'), refused);
  if (may('read') !== true) return either(may('read'), undefined, 404);
  // A deleted row is gone for everybody who may not restore it.
  if (operation === 'restore') return either(may('restore'), 200, 404);
  return either(may(operation), operation === 'delete' ? 204 : 200, refused);
}

/** The answer to a change; undefined where some of it may not be written, or the row is not seen after that. */
export function answerToChange(question: AccessQuestion, change: Values): Expectation | undefined {
  const result = { ...question.row, ...change };
  const isTaken = question.model.fields
    .filter(({ name }) => Object.hasOwn(change, name))
    .every((field) => {
      const mayWrite = field.write === undefined || judgeWrite(field.write, question) === true;
      return isUpdatable(field) && mayWrite;
    });
  const isSeen = answerTo({ ...question, operation: 'read', row: result }) === 200;
  return isTaken && isSeen ? answerTo({ ...question, result }) : undefined;
}

/** Whether the visitor may give and take the role in a row, which may depend on other members. */
function isOfRank({ standing, model, app, row, result }: AccessQuestion): boolean {
  const leads = standing?.kind === 'via' ? standing : undefined;
  const member = isMember(leads?.there) ? leads.there : undefined;
  return givenBy(model, app).every(({ kind: { word, of, role = '', roles, isRanked, first } }) => {
    const rank = Math.max(...[row, result].map((held) => roles.indexOf(String(held?.[role]))));
    const isLast = first !== undefined && rank === roles.length - 1;
    if (!isLast && !(isRanked && rank > 0)) return true;
    const isTheirs = leads && getTarget(model, leads.relation, app).key.name === of;
    return isTheirs && member?.word === word && rank <= roles.indexOf(member.role ?? '');
  });
}

/** Whether a row stays as long as it has the members that a test gives it. */
function isHeld({ standing, model, app }: AccessQuestion): boolean {
  const word = isMember(standing) ? standing.word : undefined;
  const kind = findMemberKind(word, model);
  const by = kind && modelOfMembers(kind, app);
  const leads = by && kind && findRelationByKey(by, kind.of);
  return leads?.onDelete === 'restrict' && !model.softDelete;
}

export function either<Yes, No>(verdict: Verdict, yes: Yes, no: No): Yes | No | undefined {
  return verdict === undefined ? undefined : verdict ? yes : no;
}

/** A key is accepted only from those who may refer to its row, and a value only from those who may write it. */
function answerToBody(
  question: AccessQuestion,
  may: Verdict,
  refused: Expectation,
): Expectation | undefined {
  const { model, standing, row = {} } = question;
  // Nobody is a member of a row that does not exist yet.
  if (isMember(standing)) return undefined;
  const tied = standing && 'relation' in standing ? standing.relation : undefined;
  const keys = clientKeys(model).filter((key) => isRequired(key) || key.relation === tied);
  const given = keys.filter(({ relation }) => relation === tied).map(({ name }) => name);
  // A tie gives a key that clients send, and no other agrees with it.
  const isGiven = given.length > 0 && !tiedTogether(model).has(tied ?? '');
  if (tied !== undefined && !isGiven) return undefined;
  const sent = [...given, ...Object.keys(row)];
  const written = model.fields.flatMap(({ name, write }) =>
    write !== undefined && sent.includes(name) && !isUser(model)
      ? [judgeWrite(write, question)]
      : [],
  );
  const referred = keys.map(({ relation = '' }) => judgeThrough(relation, 'refer', question));
  const verdicts = [...referred, ...written];
  if (verdicts.includes(false)) return 422;
  return verdicts.includes(undefined) ? undefined : either(may, 201, refused);
}

/** A rule of a field holds within the `only` of every operation. */
const judgeWrite = (rule: readonly Entry[], question: AccessQuestion): Verdict =>
  judge([...rule, ...sharedOnly(question.model).all], question);

/** Whether a visitor may do it with any row. */
export function isAdmitted(visitor: string, operation: Operation, model: Model, app: App): Verdict {
  return judgeAnyRow(model.access[operation], { visitor, operation, model, app });
}

/** The visitor with the fewest rights to whom every row is shown. */
export function readerOf(model: Model, app: App): string {
  const visitors = ['public', ...app.roles.filter((role) => role !== 'admin'), 'admin'];
  return visitors.find((visitor) => isAdmitted(visitor, 'list', model, app) === true) ?? 'admin';
}

/** Whether a new user may set the value at sign-up. */
export function isOwnToWrite(rule: readonly Entry[], model: Model, app: App): boolean {
  const question = { visitor: 'owner', operation: 'create', model, app } as const;
  return judge(rule, question) === true || admits(rule, 'self');
}

/** Visitors to whom the operation is allowed. */
export function visitorsOf(operation: Operation, model: Model, app: App): readonly string[] {
  if (!isAsked(operation, model)) return [];
  const { full: row } = exampleRows(model, app);
  return allVisitors(model, app).filter((visitor) =>
    operation === 'list'
      ? isAdmitted(visitor, operation, model, app) !== false
      : answerTo({ visitor, operation, model, app, row }) === 200,
  );
}
