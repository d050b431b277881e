import type { OfMembers } from './standing.ts';
import { type Expectation, answerTo, isAsked, ofRows } from './access-table.ts';
import {
  type App,
  type Endpoint,
  type Model,
  findMembersCalled,
  findRelationOfKey,
} from '../../../model/app.ts';
import { code, type Code, tsValue } from '../../typescript.ts';
import { givenBy, modelOfMembers } from '../members.ts';
import { exampleRows } from './example-rows.ts';
import { sentBy } from './sent.ts';

/** What the creator of a row may do with it as its first member: `{ read: 200, update: 200 }`. */
export function firstAnswers(model: Model, app: App): Code | undefined {
  const standing = firstStanding(model, app);
  if (standing === undefined) return undefined;
  const asked = ofRows.filter((each) => isAsked(each, model));
  const answers = asked.flatMap((operation) => {
    const [answer, ...different] = new Set(
      app.roles.map((visitor) => answerTo({ visitor, standing, operation, model, app })),
    );
    const isDone = answer === 200 || answer === 204;
    return isDone && different.length === 0 ? [[operation, answer]] : [];
  });
  return answers.length === 0 ? undefined : code(tsValue(Object.fromEntries(answers)));
}

/** The kind of member that the creator of a row becomes, if there is only one. */
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
  const kind = findMembersCalled(there?.word, model);
  const by = kind && modelOfMembers(kind, app);
  const leads = by && kind && findRelationOfKey(by, kind.of);
  if (!kind || !there || !by || !leads || kind.user === undefined) return undefined;
  const made = exampleRows(model, app).full;
  const who = { visitor: 'user', app } as const;
  const standing = { kind: 'via', relation: leads.name, there } as const;
  const isAnswered = (operation: Endpoint, answer: Expectation) =>
    isAsked(operation, by) &&
    answerTo({ ...who, standing, operation, model: by, row: { ...kind.first } }) === answer;
  const isMaker = answerTo({ ...who, operation: 'create', model, row: made }) === 201;
  const isShown = by.fields.every((it) => it.name !== kind.of || it.read === undefined);
  if (!isMaker || !isShown || !isAnswered('list', 'shown') || !isAnswered('delete', 204))
    return undefined;
  return {
    sent: code(sentBy(model, app)),
    path: `${app.apiPrefix}/${by.path}/`,
    of: kind.of,
  };
}
