import { admits, isRestored, needsAccount } from '../../../model/access.ts';
import {
  type App,
  type Entry,
  findField,
  follow,
  hasAccounts,
  isUser,
  type Members,
  type Model,
  modelOf,
  relationOfKey,
} from '../../../model/app.ts';
import { type Operation, operations } from '../../../schema/language.ts';
import { code, type Code, tsObject } from '../../typescript.ts';
import { givenBy } from '../members.ts';
import { sharedOnly } from '../policy.ts';
import { tiedTogether } from './agreeing.ts';
import { exampleRows } from './example-rows.ts';
import { nameOf, type Standing, tiesTo } from './standing.ts';
import { every, judge, judgeAnyRow, judgeThrough, type Question, type Verdict } from './verdict.ts';

/** What each visitor is answered: `list: { public: 'shown', owner: 'shown', … }`. */
export function accessTable(model: Model, app: App): Code {
  const shown = operations.filter((operation) => isAsked(operation, model));
  const rows = shown.map((operation) => [operation, answersTo(operation, model, app)]);
  return code(tsObject(Object.fromEntries(rows)));
}

/** A key to a row is asked for where one is sent: on create of others. */
export function isAsked(operation: Operation, model: Model): boolean {
  if (operation === 'refer') return false;
  return operation === 'restore' ? isRestored(model) : model.endpoints.includes(operation);
}

/** `{ public: 401, owner: 200, user: 403, admin: 200 }`, but for what depends on more than the test says. */
function answersTo(operation: Operation, model: Model, app: App): string | undefined {
  const { full: row } = exampleRows(model, app);
  if (!hasAccounts(app)) return answerTo({ visitor: 'public', operation, model, app, row });
  return tsObject(
    Object.fromEntries(
      everybody(model, app).map(({ name, ...who }) => [
        name,
        answerTo({ ...who, operation, model, app, row }),
      ]),
    ),
  );
}

/** Whom the tests ask as: each role, and those who have to do with a row. */
export function everybody(model: Model, app: App) {
  const plain = allVisitors(model, app).map((visitor) => ({ name: visitor, visitor }));
  const tied = tiesTo(model, app).map((standing) => ({
    name: nameOf(standing),
    visitor: 'user',
    standing,
  }));
  return [...plain, ...tied];
}

function allVisitors(model: Model, { roles }: App): readonly string[] {
  const isOwned = model.owner !== undefined || model.names.type === 'User';
  return ['public', ...(isOwned ? ['owner'] : []), ...roles];
}

/** In the order in which the server looks: could any row be the visitor's, is the row seen, is the operation allowed. */
export function answerTo(question: Question): string | undefined {
  const { visitor, operation, model } = question;
  const may = (wanted: Operation) => {
    const rule = judge(model.access[wanted], { ...question, operation: wanted });
    return every([rule, ofRank(question, wanted)]);
  };
  // A user who was deleted is signed in no longer.
  if (operation === 'restore' && visitor === 'owner' && isUser(model)) return '401';
  const refused = visitor === 'public' ? '401' : '403';
  if (visitor === 'public' && needsAccount(model, question.app, operation)) return '401';
  const hasRow = operation === 'read' || operation === 'update' || operation === 'delete';
  const isShut = judgeAnyRow(model.access[operation], question) === false;
  if (isShut && (visitor === 'public' || !hasRow)) return refused;
  if (operation === 'delete' && isHeld(question)) return undefined;
  if (operation === 'list') return either(may('list'), "'shown'", "'hidden'");
  if (operation === 'create') return answerToBody(question, may('create'), refused);
  if (may('read') !== true) return either(may('read'), undefined, '404');
  return either(may(operation), operation === 'delete' ? '204' : '200', refused);
}

/** What whoever makes a row may do with it as its first member: `{ read: 200, update: 200 }`. */
export function firstAnswers(model: Model, app: App): Code | undefined {
  const standing = firstStanding(model, app);
  if (standing === undefined) return undefined;
  const asked = (['read', 'update', 'delete'] as const).filter((each) => isAsked(each, model));
  const answers = asked.flatMap((operation) => {
    const [answer, ...different] = new Set(
      app.roles.map((visitor) => answerTo({ visitor, standing, operation, model, app })),
    );
    const isDone = answer === '200' || answer === '204';
    return isDone && different.length === 0 ? [[operation, answer]] : [];
  });
  return answers.length === 0 ? undefined : code(tsObject(Object.fromEntries(answers)));
}

/**
 * Whether the role that a row gives is up to the visitor's own, and not the last one of the highest; undefined where that hangs
 * on what else they are a member of.
 */
function ofRank(question: Question, operation: Operation): Verdict {
  const { visitor, model, app, row, result } = question;
  if (visitor === 'admin' || ['list', 'read', 'refer'].includes(operation)) return true;
  const verdicts = givenBy(model, app).flatMap(({ kind }) => {
    const { role = '', roles, isRanked, first } = kind;
    const [own, top] = [ownRank(kind, question), roles.length - 1];
    return [row, result].map((each): Verdict => {
      const rank = roles.indexOf(String(each?.[role]));
      const isLast = first !== undefined && rank === top;
      if (isRanked && rank > 0 && own !== undefined && rank > own) return false;
      return !((isRanked && rank > 0) || isLast) || (own !== undefined && (own === top || !isLast))
        ? true
        : undefined;
    });
  });
  return every(verdicts);
}

/** The rank of a visitor who stands to the row by being a member of what it makes members of. */
function ownRank(kind: Members, { standing, model, app }: Question): number | undefined {
  if (standing?.kind !== 'via' || !isMember(standing.there)) return undefined;
  const isOf = follow(model, standing.relation, app).key.name === kind.of;
  return isOf && standing.there.word === kind.word
    ? kind.roles.indexOf(standing.there.role ?? '')
    : undefined;
}

/** Whether a row stays as long as it has the members that a test gives it. */
function isHeld({ standing, model, app }: Question): boolean {
  const word = isMember(standing) ? standing.word : undefined;
  const kind = model.members?.find((each) => each.word === word);
  const by = kind && modelOf(kind.by, app);
  const leads = by && kind && relationOfKey(by, kind.of);
  return leads?.onDelete === 'restrict' && !model.softDelete;
}

/** What whoever makes a row becomes, where that is one thing. */
function firstStanding(model: Model, app: App): OfMembers | undefined {
  const [first, ...others] = (model.members ?? []).filter((kind) => kind.first !== undefined);
  const role = first?.role && first.first?.[first.role];
  const isOfMembers = givenBy(model, app).length > 0;
  if (first === undefined || others.length > 0 || isOfMembers || !isAsked('create', model))
    return undefined;
  return { kind: 'members', word: first.word, ...(role !== undefined && { role: String(role) }) };
}

/** Where a user who makes a row finds the one that makes them its first member, and would delete it. */
export function lastView(model: Model, app: App) {
  const there = firstStanding(model, app);
  const kind = model.members?.find(({ word }) => word === there?.word);
  const by = kind && modelOf(kind.by, app);
  const leads = by && kind && relationOfKey(by, kind.of);
  if (!kind || !there || !by || !leads || kind.user === undefined) return undefined;
  const made = exampleRows(model, app).full;
  const who = { visitor: 'user', app } as const;
  const standing = { kind: 'via', relation: leads.name, there } as const;
  const answers = (['list', 'delete'] as const).map(
    (operation) =>
      isAsked(operation, by) &&
      answerTo({ ...who, standing, operation, model: by, row: { ...kind.first } }),
  );
  const isMaker = answerTo({ ...who, operation: 'create', model, row: made }) === '201';
  const isShown = by.fields.every(({ name, read }) => name !== kind.of || read === undefined);
  if (!isMaker || !isShown || answers.join() !== "'shown',204") return undefined;
  return { path: `${app.apiPrefix}/${by.path}/`, of: kind.of };
}

type OfMembers = Extract<Standing, { kind: 'members' }>;

const isMember = (standing: Standing | undefined): standing is OfMembers =>
  standing?.kind === 'members';

function either<Answer>(verdict: Verdict, yes: Answer, no: Answer): Answer | undefined {
  return verdict === undefined ? undefined : verdict ? yes : no;
}

/** A key to a row is taken from those only who may refer to it, and a value from those only who may write it. */
function answerToBody(question: Question, may: Verdict, refused: string): string | undefined {
  const { model, standing } = question;
  // Nobody is a member of what is not there yet.
  if (isMember(standing)) return undefined;
  const tied = standing && 'relation' in standing ? standing.relation : undefined;
  const sent = model.relations.flatMap((relation) => {
    if (relation.kind !== 'one' || relation.name === model.owner) return [];
    if (relation.optional && relation.name !== tied) return [];
    const key = findField(model, relation.key);
    return key === undefined ? [] : [{ relation, key }];
  });
  // Nor whether keys agree of which the tie gives one.
  const isBound = tied !== undefined && tiedTogether(model).has(tied);
  if (
    isBound ||
    sent.some(({ relation, key }) => relation.name === tied && key.source !== 'client')
  )
    return undefined;
  const referred = sent
    .filter(({ key }) => key.source === 'client')
    .map(({ relation: { name } }) => judgeThrough(name, 'refer', question));
  const keys = sent.filter(({ relation }) => relation.name === tied).map(({ key }) => key.name);
  const written = model.names.type === 'User' ? [] : writtenBy(question, keys);
  if ([...referred, ...written].includes(false)) return '422';
  if ([...referred, ...written].includes(undefined)) return undefined;
  return either(may, '201', refused);
}

/** Of the values that the tests send. */
function writtenBy(question: Question, keys: readonly string[]): readonly Verdict[] {
  const sent = [...keys, ...Object.keys(question.row ?? {})];
  return question.model.fields.flatMap(({ name, write }) =>
    write !== undefined && sent.includes(name) ? [judgeWrite(write, question)] : [],
  );
}

/** A rule of a field holds within the `only` of every operation. */
export const judgeWrite = (rule: readonly Entry[], question: Question): Verdict =>
  judge([...rule, ...sharedOnly(question.model).all], question);

/** Whether a visitor may do it with any row. */
export function isAdmitted(visitor: string, operation: Operation, model: Model, app: App): Verdict {
  return judgeAnyRow(model.access[operation], { visitor, operation, model, app });
}

/** Who has the least rights of those that are shown every row. */
export function readerOf(model: Model, app: App): string {
  const visitors = ['public', ...app.roles.filter((role) => role !== 'admin'), 'admin'];
  return visitors.find((visitor) => isAdmitted(visitor, 'list', model, app) === true) ?? 'admin';
}

/** Whether who signs up may write a value of their own. */
export function isOwnToWrite(rule: readonly Entry[], model: Model, app: App): boolean {
  const question = { visitor: 'owner', operation: 'create', model, app } as const;
  return judge(rule, question) === true || admits(rule, 'self');
}

/** Those whom the operation is not refused. */
export function visitorsOf(operation: Operation, model: Model, app: App): readonly string[] {
  if (!isAsked(operation, model)) return [];
  const { full: row } = exampleRows(model, app);
  return allVisitors(model, app).filter((visitor) => {
    const question = { visitor, operation, model, app, row };
    const rule = model.access[operation];
    if (operation === 'list') return judgeAnyRow(rule, question) !== false;
    const sees = judge(model.access.read, { ...question, operation: 'read' });
    return sees === true && judge(rule, question) === true;
  });
}
