import type { App, Model } from '../../../model/app.ts';
import { getModelByName } from '../../../model/lookups.ts';
import { givenBy, modelOfMembers } from '../members.ts';
import { code, type Code, sourceText, tsKey, tsValue } from '../../typescript.ts';
import { answerTo, isAsked, ofRows } from './access-table.ts';
import { countingStates, membership } from './membership.ts';
import { exampleRows } from './example-rows.ts';
import { argument, copyOf, entry, inSteps, makingOf, printObject } from './printed.ts';
import { statesWhere } from './values-where.ts';
import { judge } from './verdict.ts';

/** Who comes by the link of a row: how a test makes one that counts, and what is answered by it, and by another. */
export function linkView(model: Model, app: App) {
  const [counting] = statesWhere(model.link?.if ?? [], model, app);
  if (!model.link || counting === undefined || !isAsked('create', model)) return undefined;
  const rules = Object.values(model.access).flat();
  const conditions = rules.flatMap((each) => (each.kind === 'link' ? (each.if ?? []) : []));
  const [held] = statesWhere(conditions, model, app);
  const set = { ...held, ...counting };
  const row = { ...exampleRows(model, app).full, ...set };
  const answers = model.endpoints.flatMap((operation) => {
    const asked = { visitor: 'public', operation, model, app, row };
    const [own, other] = [true, false].map((isByLink) => answerTo({ ...asked, isByLink }));
    const isKnown = own !== undefined && other !== undefined && operation !== 'create';
    return isKnown ? [[operation, [own, other]]] : [];
  });
  if (answers.length === 0) return undefined;
  const values = Object.entries(set).map(([name, value]) => entry(name, tsValue(value)));
  const made = makingOf(model, sourceText(printObject([copyOf('full'), ...values])));
  return argument({
    path: 'path',
    row: inSteps(
      'async () =>',
      `const { id, ${tsKey(model.link.secret)}: secret } = ${made};`,
      'return { id, secret };',
    ),
    answers: tsValue(Object.fromEntries(answers)),
  });
}

/** How a test makes two users members of the same, where users are shown to those and to no other user. */
export function sharesView(model: Model, app: App) {
  const shared = model.access.read.find((each) => each.kind === 'shares' && !each.if);
  if (shared?.kind !== 'shares' || !model.endpoints.includes('read')) return undefined;
  const there = getModelByName(shared.model, app);
  const kind = there.members?.find(({ user }) => user !== undefined);
  const by = kind && modelOfMembers(kind, app);
  const { full: row } = exampleRows(model, app);
  const question = { visitor: 'user', operation: 'read', model, app, row } as const;
  const isOthers = judge(model.access.read, question) === false;
  const only = model.access.read.some(({ only: isOnly }) => isOnly);
  if (!by || !isOthers || only || countingStates(kind, app).length === 0) return undefined;
  const joins = ['person', 'other'].map((user) => {
    const values = membership(kind, app, { of: 'id', user: `${user}.id` });
    return `await api.make.${by.names.variable}(${values});`;
  });
  return argument({
    path: 'path',
    join: inSteps(
      'async (person, other) =>',
      `const { id } = await api.make.${there.names.variable}();`,
      ...joins,
    ),
  });
}

/** What the creator of a row may do with it as its first member, whatever their role: `{ read: 200, update: 200 }`. */
export function firstAnswers(model: Model, app: App): Code | undefined {
  const [first, ...others] = (model.members ?? []).filter((kind) => kind.first !== undefined);
  const isOfMembers = givenBy(model, app).length > 0;
  if (first === undefined || others.length > 0 || isOfMembers || !isAsked('create', model))
    return undefined;
  const role = first.role && first.first?.[first.role];
  const standing = {
    kind: 'members',
    word: first.word,
    role: role === undefined ? undefined : String(role),
  } as const;
  const answers = ofRows.flatMap((operation) => {
    const asked = { visitor: 'any role', standing, operation, model, app };
    const answer = isAsked(operation, model) ? answerTo(asked) : undefined;
    return answer === 200 || answer === 204 ? [[operation, answer]] : [];
  });
  return answers.length === 0 ? undefined : code(tsValue(Object.fromEntries(answers)));
}
