import { isDeepStrictEqual } from 'node:util';
import { admits, isRestorable, needsAccount } from '../../../model/access.ts';
import { type App, isUser, type Model } from '../../../model/app.ts';
import { hasAccounts } from '../../../model/app-features.ts';
import {
  findMemberKind,
  findRelationByKey,
  getTarget,
  isRanked,
  isSoftlyDeleted,
  listRoles,
  getModel,
} from '../../../model/lookups.ts';
import { isUpdatable, isRequired, clientKeys } from '../../../model/writing.ts';
import { type Operation, operationDetails, operations } from '../../../schema/language.ts';
import { tsValue } from '../../typescript.ts';
import { membershipsBy } from '../members.ts';
import { agreeingRelations } from './agreeing-keys.ts';
import { exampleRows } from './example-rows.ts';
import type { Values } from './example-values.ts';
import { spellRelation, rowRelations } from './row-relations.ts';
import { judge, judgeAnyRow, judgeBehind, type Verdict } from './verdict.ts';
import { isMember, type AccessQuestion } from './access-question.ts';
import { judgeWrite } from './judge-write.ts';
import type { Entry } from '../../../schema/entry.ts';
import type { Json } from '../../../types/field-type.ts';

/** A status, or whether a list shows the row. */
export type Expectation = 200 | 201 | 204 | 401 | 403 | 404 | 422 | 'shown' | 'hidden';

/** The answer to each visitor: `list: { public: 'shown', owner: 'shown', … }`. */
export function accessTable(model: Model, app: App): string {
  const shown = operations.filter((operation) => isTested(operation, model));
  const rows = shown.flatMap((operation) => {
    const answers = answersTo(operation, model, app);
    return answers === undefined ? [] : [[operation, answers]];
  });
  return tsValue(Object.fromEntries(rows));
}

/** Whether tests of a model perform an operation. `refer` is tested with the models that have the key. */
export function isTested(operation: Operation, model: Model): boolean {
  if (operation === 'refer') return false;
  return operation === 'restore' ? isRestorable(model) : model.endpoints.includes(operation);
}

/** `{ public: 401, owner: 200, user: 403, admin: 200 }`, without answers that depend on something unknown. */
function answersTo(operation: Operation, model: Model, app: App): Json | undefined {
  const { full: row } = exampleRows(model, app);
  if (!hasAccounts(app)) return answerTo({ visitor: 'public', operation, model, app, row });
  const answers = listVisitors(model, app).flatMap(({ name, ...who }) => {
    const answer = answerTo({ ...who, operation, model, app, row });
    return answer === undefined ? [] : [[name, answer]];
  });
  return Object.fromEntries(answers);
}

/** Visitors in the tests: one of each role, and users who are related to a row. */
export function listVisitors(model: Model, app: App) {
  const plain = allVisitors(model, app).map((visitor) => ({ name: visitor, visitor }));
  const tied = rowRelations(model, app).map((relatedBy) => ({
    name: spellRelation(relatedBy),
    visitor: 'user',
    relatedBy,
  }));
  return [...plain, ...tied];
}

function allVisitors(model: Model, app: App): readonly string[] {
  const isOwned = model.owner !== undefined || isUser(model);
  return ['public', ...(isOwned ? ['owner'] : []), ...listRoles(app)];
}

export const rowOperations = ['read', 'update', 'delete'] as const;

/** Operations that the tests of a model perform. With the same rule, a list gives the same answer as reading. */
export function testedOperations(model: Model): readonly Operation[] {
  const { list, read } = model.access;
  const isListed = isTested('list', model) && isDeepStrictEqual(list, read);
  return operations.filter((it) => isTested(it, model) && !(it === 'read' && isListed));
}

/** The response for a visitor who may not perform an operation on an existing row. */
export const chooseRefusal = (operation: Operation): Expectation =>
  operation === 'list' ? 'hidden' : operation === 'read' ? 404 : 403;

/** The response, found in the order of the server: may the visitor see any row, this row, and perform the operation. */
export function answerTo(question: AccessQuestion): Expectation | undefined {
  const { visitor, operation, model } = question;
  const may = (wanted: Operation) => {
    const rule = judge(model.access[wanted], { ...question, operation: wanted });
    const isGuarded = visitor !== 'admin' && operationDetails[wanted].via === 'update';
    return rule === true && isGuarded && !hasRank(question) ? undefined : rule;
  };
  // A deleted user is no longer signed in.
  if (operation === 'restore' && visitor === 'owner' && isUser(model)) return 401;
  const refused = visitor === 'public' ? 401 : 403;
  if (visitor === 'public' && needsAccount(model, question.app, operation)) return 401;
  const hasRow = rowOperations.some((each) => each === operation);
  const isShut = judgeAnyRow(model.access[operation], question) === false;
  if (isShut && (visitor === 'public' || !hasRow)) return refused;
  if (operation === 'delete' && mayBeRestricted(question)) return undefined;
  if (operation === 'list') return answerFor(may('list'), 'shown', 'hidden');
  if (operation === 'create') return answerToBody(question, may('create'), refused);
  if (may('read') !== true) return answerFor(may('read'), undefined, 404);
  // Whoever may not restore a deleted row cannot see it.
  if (operation === 'restore') return answerFor(may('restore'), 200, 404);
  return answerFor(may(operation), operation === 'delete' ? 204 : 200, refused);
}

/** The response to a change; undefined if a field may not be written or the row is not visible afterwards. */
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

/** Whether the visitor may give and take the role in a row. It may depend on other members. */
function hasRank({ relatedBy, model, app, row, result }: AccessQuestion): boolean {
  const leads = relatedBy?.kind === 'via' ? relatedBy : undefined;
  const member = isMember(leads?.beyond) ? leads.beyond : undefined;
  return membershipsBy(model, app).every(({ kind }) => {
    const { word, of, role = '', roles, first } = kind;
    const rank = Math.max(...[row, result].map((held) => roles.indexOf(String(held?.[role]))));
    const isLast = first !== undefined && rank === roles.length - 1;
    if (!isLast && !(isRanked(kind, app) && rank > 0)) return true;
    const isTheirs = leads && getTarget(model, leads.relation, app).key.name === of;
    return isTheirs && member?.word === word && rank <= roles.indexOf(member.role ?? '');
  });
}

/** Whether the members that a test adds may restrict the deletion of a row. */
function mayBeRestricted({ relatedBy, model, app }: AccessQuestion): boolean {
  const word = isMember(relatedBy) ? relatedBy.word : undefined;
  const kind = findMemberKind(word, model);
  const by = kind && getModel(kind.by, app);
  const leads = by && kind && findRelationByKey(by, kind.of);
  return leads?.onDelete === 'restrict' && !isSoftlyDeleted(model);
}

export function answerFor<Yes, No>(verdict: Verdict, yes: Yes, no: No): Yes | No | undefined {
  return verdict === undefined ? undefined : verdict ? yes : no;
}

/** The response to a body. Its keys need `refer`, and its values the rules of their fields. */
function answerToBody(
  question: AccessQuestion,
  may: Verdict,
  refused: Expectation,
): Expectation | undefined {
  const { model, relatedBy, row = {} } = question;
  // Nobody is a member of a row that does not exist yet.
  if (isMember(relatedBy)) return undefined;
  const tied = relatedBy && 'relation' in relatedBy ? relatedBy.relation : undefined;
  const keys = clientKeys(model).filter((key) => isRequired(key) || key.relation === tied);
  const given = keys.filter(({ relation }) => relation === tied).map(({ name }) => name);
  // A related visitor needs a key that clients write and that does not have to agree with others.
  const isGiven = given.length > 0 && !agreeingRelations(model).has(tied ?? '');
  if (tied !== undefined && !isGiven) return undefined;
  const sent = [...given, ...Object.keys(row)];
  const written = model.fields.flatMap(({ name, write }) =>
    write !== undefined && sent.includes(name) && !isUser(model)
      ? [judgeWrite(write, question)]
      : [],
  );
  const referred = keys.map(({ relation = '' }) => judgeBehind(relation, 'refer', question));
  const verdicts = [...referred, ...written];
  if (verdicts.includes(false)) return 422;
  return verdicts.includes(undefined) ? undefined : answerFor(may, 201, refused);
}

/** Whether a visitor may perform an operation on any row. */
export function judgeVisitor(
  visitor: string,
  operation: Operation,
  model: Model,
  app: App,
): Verdict {
  return judgeAnyRow(model.access[operation], { visitor, operation, model, app });
}

/** The visitor with the fewest rights who may list every row. */
export function chooseReader(model: Model, app: App): string {
  const visitors = ['public', ...listRoles(app).filter((role) => role !== 'admin'), 'admin'];
  return visitors.find((visitor) => judgeVisitor(visitor, 'list', model, app) === true) ?? 'admin';
}

/** Whether a new user may set a value at sign-up. */
export function mayWriteAtSignUp(rule: readonly Entry[], model: Model, app: App): boolean {
  const question = { visitor: 'owner', operation: 'create', model, app } as const;
  return judge(rule, question) === true || admits(rule, 'self');
}

/** Visitors who may perform an operation. */
export function listTestedVisitors(
  operation: Operation,
  model: Model,
  app: App,
): readonly string[] {
  if (!isTested(operation, model)) return [];
  const { full: row } = exampleRows(model, app);
  return allVisitors(model, app).filter((visitor) =>
    operation === 'list'
      ? judgeVisitor(visitor, operation, model, app) !== false
      : answerTo({ visitor, operation, model, app, row }) === 200,
  );
}
