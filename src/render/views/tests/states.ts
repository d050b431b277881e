import { isDeepStrictEqual } from 'node:util';
import { type App, isUser, type Model } from '../../../model/app.ts';
import { oncePerModel } from '../../../model/once.ts';
import { isChangeable } from '../../../model/writing.ts';
import { type Operation, operations } from '../../../schema/language.ts';
import { tsValue } from '../../typescript.ts';
import { givenBy } from '../members.ts';
import { type Expectation, answerTo, everybody, isAsked, judgeWrite } from './access-table.ts';
import { exampleRows } from './example-rows.ts';
import type { Values } from './example-values.ts';
import type { AccessQuestion } from './question.ts';
import { findFieldSet, statesWhere } from './values-where.ts';
import type { Entry } from '../../../schema/entry.ts';
import type { Json } from '../../../types/field-type.ts';

/** What a row holds otherwise than that of the other tests, and what is sent to it. */
interface State {
  readonly holds: Values;
  readonly change?: Values;
}

/** A visitor whose answer depends on the state. */
interface Case extends State {
  readonly operation: Operation;
  readonly visitor: string;
  readonly answer: Expectation;
}

/**
 * Rows that meet the conditions of a rule, and rows that violate one of them, each requested by somebody to whom that
 * makes a difference, and the first also by somebody who is refused anyway: `['update', 'owner', 200, { status: 'draft'
 * }]`.
 */
export const statesOf = oncePerModel((model, app): readonly string[] => {
  if (isUser(model)) return [];
  // With the same rule, a list gives the same answer as reading.
  const { list, read } = model.access;
  const isListed = isAsked('list', model) && isDeepStrictEqual(list, read);
  const asked = operations.filter(
    (operation) => isAsked(operation, model) && !(operation === 'read' && isListed),
  );
  const cases = asked.flatMap((operation) => [
    ...model.access[operation].flatMap((entry) => casesOf(entry, operation, model, app)),
    ...rankCases({ operation, model, app }),
  ]);
  const printed = cases.map(({ operation, visitor, answer, holds, change }) =>
    tsValue([operation, visitor, answer, holds, ...(change ? [change] : [])]),
  );
  return [...new Set(printed)];
});

function casesOf(entry: Entry, operation: Operation, model: Model, app: App): readonly Case[] {
  const { if: before = [], after = entry.only && operation === 'update' ? before : [] } = entry;
  const [held, ...broken] = statesWhere(before, model, app);
  const [made, ...spoilt] = statesWhere(after, model, app);
  if (held === undefined || made === undefined) return [];
  const pairs: (readonly [State, State])[] = [
    [{ holds: held }, { holds: {} }],
    ...broken.map((holds) => [{ holds }, { holds: held }] as const),
    ...spoilt.flatMap((change) => {
      const [good, bad] = [made, change].map((each) => ({ holds: held, change: each }));
      return good && bad
        ? ([
            [good, bad],
            [bad, good],
          ] as const)
        : [];
    }),
  ];
  const asked = { operation, model, app };
  const differing = pairs
    .filter(([state]) => isAnother(state, model, app))
    .flatMap(([state, other]) => caseOf(state, other, asked));
  return isAnother({ holds: held }, model, app)
    ? [...differing, ...refusedIn({ holds: held }, asked)]
    : differing;
}

/** Rows that give the highest role and the lowest, and changes to these, by whoever may give one of them only. */
function rankCases(asked: Asked): readonly Case[] {
  const { model, app, operation } = asked;
  return givenBy(model, app).flatMap(({ kind: { role = '', roles, isRanked } }) => {
    if (!isRanked || roles.length < 2 || !findFieldSet({ path: [role] }, model, app)) return [];
    const [low, high] = [{ [role]: roles[0] ?? '' }, { [role]: roles.at(-1) ?? '' }];
    return [
      ...caseOf({ holds: high }, { holds: low }, asked),
      ...(operation === 'update'
        ? caseOf({ holds: low, change: high }, { holds: low, change: low }, asked)
        : []),
    ];
  });
}

/** The access table covers the other states. */
function isAnother({ holds, change }: State, model: Model, app: App): boolean {
  const { full } = exampleRows(model, app);
  const isOther = ([name, value]: [string, Json]) => !isDeepStrictEqual(full[name], value);
  return change !== undefined || Object.entries(holds).some(isOther);
}

type Asked = Pick<AccessQuestion, 'operation' | 'model' | 'app'>;

/** The first visitor whose answer differs from that in the other state. */
function caseOf(state: State, other: State, asked: Asked): readonly Case[] {
  for (const { name, ...who } of everybody(asked.model, asked.app)) {
    const [answer, otherwise] = [state, other].map((each) => answerIn(each, { ...asked, ...who }));
    if (answer !== undefined && otherwise !== undefined && answer !== otherwise)
      return [{ ...state, operation: asked.operation, visitor: name, answer }];
  }
  return [];
}

/** The first visitor who is refused although the condition holds. */
function refusedIn(state: State, asked: Asked): readonly Case[] {
  const { operation, model, app } = asked;
  const answer = operation === 'list' ? 'hidden' : operation === 'read' ? 404 : 403;
  const refused = everybody(model, app).find(
    (who) => answerIn(state, { ...asked, ...who }) === answer,
  );
  return refused ? [{ ...state, operation, visitor: refused.name, answer }] : [];
}

function answerIn(
  { holds, change }: State,
  who: Asked & Pick<AccessQuestion, 'visitor' | 'standing'>,
) {
  const { model, app } = who;
  const row = { ...exampleRows(model, app).full, ...holds };
  if (change === undefined) return answerTo({ ...who, row });
  const result = { ...row, ...change };
  const isTaken = model.fields
    .filter(({ name }) => Object.hasOwn(change, name))
    .every((field) => {
      const mayWrite =
        field.write === undefined || judgeWrite(field.write, { ...who, row }) === true;
      return isChangeable(field) && mayWrite;
    });
  const isSeen = answerTo({ ...who, operation: 'read', row: result }) === 200;
  return isTaken && isSeen ? answerTo({ ...who, row, result }) : undefined;
}
