import { isDeepStrictEqual } from 'node:util';
import { isUser } from '../../../model/app.ts';
import { rememberPerModel } from '../../../model/remember-per-model.ts';
import { tsValue } from '../../typescript.ts';
import {
  type Expectation,
  answerTo,
  answerToChange,
  testedOperations,
  listVisitors,
  chooseRefusal,
} from './access-table.ts';
import { exampleRows } from './example-rows.ts';
import type { Values } from './example-values.ts';
import type { AccessQuestion } from './access-question.ts';
import { rowsWhere } from './rows-where.ts';
import type { Entry } from '../../../schema/entry.ts';
import type { Json } from '../../../types/field-type.ts';

/** Values of a row that differ from those of other tests, and what is sent. */
interface RowState {
  readonly holds: Values;
  readonly change?: Values;
}

/**
 * Rows that meet the conditions of a rule, and rows that violate one of them, with visitors for whom that makes a
 * difference: `['update', 'owner', 200, { status: 'draft' }]`.
 */
export const stateCases = rememberPerModel((model, app): readonly string[] => {
  if (isUser(model)) return [];
  const cases = testedOperations(model).flatMap((operation) =>
    model.access[operation].flatMap((entry) => listCases(entry, { operation, model, app })),
  );
  return [...new Set(cases.map(tsValue))];
});

type Asked = Pick<AccessQuestion, 'operation' | 'model' | 'app'>;

function listCases(entry: Entry, asked: Asked): readonly Json[] {
  const { operation, model, app } = asked;
  const { if: before = [], after = entry.only && operation === 'update' ? before : [] } = entry;
  const [holds, ...broken] = rowsWhere(before, model, app);
  const [change, ...spoilt] = rowsWhere(after, model, app);
  if (holds === undefined || change === undefined) return [];
  const kept = { holds, change };
  const lost = spoilt.map((each) => ({ holds, change: each }));
  const pairs: readonly (readonly [RowState, RowState])[] = [
    [{ holds }, { holds: {} }],
    ...broken.map((each) => [{ holds: each }, { holds }] as const),
    ...lost.map((other) => [kept, other] as const),
    ...lost.map((state) => [state, kept] as const),
  ];
  const { full } = exampleRows(model, app);
  // The access table covers the others.
  const isAnother = (state: RowState) =>
    state.change !== undefined ||
    Object.entries(state.holds).some(([name, value]) => !isDeepStrictEqual(full[name], value));
  const differing = pairs
    .filter(([state]) => isAnother(state))
    .flatMap(([state, other]) =>
      firstCase(state, asked, (answer, who) => {
        const otherwise = answerIn(other, { ...asked, ...who });
        return otherwise !== undefined && answer !== otherwise;
      }),
    );
  const refused = firstCase({ holds }, asked, (answer) => answer === chooseRefusal(operation));
  return isAnother({ holds }) ? [...differing, ...refused] : differing;
}

type Visitor = ReturnType<typeof listVisitors>[number];

/** The first visitor with one of the wanted responses. */
function firstCase(
  state: RowState,
  asked: Asked,
  isWanted: (answer: Expectation, who: Visitor) => boolean,
): readonly Json[] {
  for (const who of listVisitors(asked.model, asked.app)) {
    const answer = answerIn(state, { ...asked, ...who });
    const { holds, change } = state;
    if (answer !== undefined && isWanted(answer, who))
      return [[asked.operation, who.name, answer, holds, ...(change ? [change] : [])]];
  }
  return [];
}

function answerIn({ holds, change }: RowState, asked: Asked & Visitor): Expectation | undefined {
  const { full } = exampleRows(asked.model, asked.app);
  const question = { ...asked, row: { ...full, ...holds } };
  // No body has fields that only the server sets.
  const isSent = Object.keys(holds).every((name) => Object.hasOwn(full, name));
  if (asked.operation === 'create' && !isSent) return undefined;
  return change === undefined ? answerTo(question) : answerToChange(question, change);
}
