import type { App, Model } from '../../../model/app.ts';
import { getModel } from '../../../model/lookups.ts';
import { membershipsBy } from '../members.ts';
import { tsKey, tsValue } from '../../typescript.ts';
import { answerTo, isTested, rowOperations } from './access-table.ts';
import { countingStates, printMemberMaking } from './membership.ts';
import { exampleRows } from './example-rows.ts';
import {
  printArgument,
  spread,
  printEntries,
  printFunction,
  printMaking,
  printObject,
} from './print.ts';
import { rowsWhere } from './rows-where.ts';
import { judge } from './verdict.ts';
import { firstMemberRelation } from './judge-write.ts';

/** How a test makes a row with a valid link, and the responses with its link and with another one. */
export function linkView(model: Model, app: App) {
  const [counting] = rowsWhere(model.link?.if ?? [], model, app);
  if (!model.link || counting === undefined || !isTested('create', model)) return undefined;
  const rules = Object.values(model.access).flat();
  const conditions = rules.flatMap((each) => (each.kind === 'link' ? (each.if ?? []) : []));
  const [held] = rowsWhere(conditions, model, app);
  const set = { ...held, ...counting };
  const row = { ...exampleRows(model, app).full, ...set };
  const answers = model.endpoints.flatMap((operation) => {
    const asked = { visitor: 'public', operation, model, app, row };
    const [own, other] = [true, false].map((hasLink) => answerTo({ ...asked, hasLink }));
    const isKnown = own !== undefined && other !== undefined && operation !== 'create';
    return isKnown ? [[operation, [own, other]]] : [];
  });
  if (answers.length === 0) return undefined;
  const made = printMaking(model, printObject([spread('full'), ...printEntries(set)]));
  return printArgument({
    path: 'path',
    row: printFunction(
      'async () =>',
      `const { id, ${tsKey(model.link.secret)}: secret } = ${made};`,
      'return { id, secret };',
    ),
    answers: tsValue(Object.fromEntries(answers)),
  });
}

/** How a test makes two users members of the same row, if users may only read such users. */
export function sharesView(model: Model, app: App) {
  const shared = model.access.read.find((each) => each.kind === 'shares' && !each.if);
  if (shared?.kind !== 'shares' || !model.endpoints.includes('read')) return undefined;
  const there = getModel(shared.model, app);
  const kind = there.members?.find(({ user }) => user !== undefined);
  const by = kind && getModel(kind.by, app);
  const { full: row } = exampleRows(model, app);
  const question = { visitor: 'user', operation: 'read', model, app, row } as const;
  const isOthers = judge(model.access.read, question) === false;
  const only = model.access.read.some(({ only: isOnly }) => isOnly);
  if (!by || !isOthers || only || countingStates(kind, app).length === 0) return undefined;
  const joins = ['person', 'other'].map(
    (user) => `await ${printMemberMaking(kind, app, { of: 'id', user: `${user}.id` })};`,
  );
  return printArgument({
    path: 'path',
    join: printFunction(
      'async (person, other) =>',
      `const { id } = await api.make.${there.names.variable}();`,
      ...joins,
    ),
  });
}

/** What the creator of a row may do as its first member: `{ read: 200, update: 200 }`. */
export function firstMemberAnswers(model: Model, app: App): string | undefined {
  const [first, ...others] = (model.members ?? []).filter((kind) => kind.first !== undefined);
  const isOfMembers = membershipsBy(model, app).length > 0;
  if (first === undefined || others.length > 0 || isOfMembers || !isTested('create', model))
    return undefined;
  const relatedBy = firstMemberRelation(first);
  const answers = rowOperations.flatMap((operation) => {
    const asked = { visitor: 'any role', relatedBy, operation, model, app };
    const answer = isTested(operation, model) ? answerTo(asked) : undefined;
    return answer === 200 || answer === 204 ? [[operation, answer]] : [];
  });
  return answers.length === 0 ? undefined : tsValue(Object.fromEntries(answers));
}
