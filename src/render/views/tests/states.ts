import { isDeepStrictEqual } from 'node:util';
import { isUser } from '../../../model/app.ts';
import { rememberPerModel } from '../../../model/remember-per-model.ts';
import { tsValue } from '../../typescript.ts';
import {
  type Expectation,
  answerTo,
  answerToChange,
  differingOperations,
  everybody,
  refusalOf,
} from './access-table.ts';
import { exampleRows } from './example-rows.ts';
import type { Values } from './example-values.ts';
import type { AccessQuestion } from './question.ts';
import { statesWhere } from './values-where.ts';
import type { Entry } from '../../../schema/entry.ts';
import type { Json } from '../../../types/field-type.ts';

/** What a row holds otherwise than that of the other tests, and what is sent to it. */
interface State {
  readonly holds: Values;
  readonly change?: Values;
}

/**
 * Rows that meet the conditions of a rule, and rows that violate one of them, each requested by somebody to whom that
 * makes a difference, and the first also by somebody who is refused anyway: `['update', 'owner', 200, { status: 'draft'
 * }]`.
 */
export const statesOf = rememberPerModel((model, app): readonly string[] => {
  if (isUser(model)) return [];
  const cases = differingOperations(model).flatMap((operation) =>
    model.access[operation].flatMap((entry) => casesOf(entry, { operation, model, app })),
  );
  return [...new Set(cases.map(tsValue))];
});

type Asked = Pick<AccessQuestion, 'operation' | 'model' | 'app'>;

function casesOf(entry: Entry, asked: Asked): readonly Json[] {
  const { operation, model, app } = asked;
  const { if: before = [], after = entry.only && operation === 'update' ? before : [] } = entry;
  const [holds, ...broken] = statesWhere(before, model, app);
  const [change, ...spoilt] = statesWhere(after, model, app);
  if (holds === undefined || change === undefined) return [];
  const pairs: readonly (readonly [State, State])[] = [
    [{ holds }, { holds: {} }],
    ...broken.map((each) => [{ holds: each }, { holds }] as const),
    ...spoilt.map(
      (each) =>
        [
          { holds, change },
          { holds, change: each },
        ] as const,
    ),
    ...spoilt.map(
      (each) =>
        [
          { holds, change: each },
          { holds, change },
        ] as const,
    ),
  ];
  const { full } = exampleRows(model, app);
  // The access table covers the others.
  const isAnother = (state: State) =>
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
  const refused = firstCase({ holds }, asked, (answer) => answer === refusalOf(operation));
  return isAnother({ holds }) ? [...differing, ...refused] : differing;
}

type Visitor = ReturnType<typeof everybody>[number];

/** The answer to the first visitor whose is wanted. */
function firstCase(
  state: State,
  asked: Asked,
  isWanted: (answer: Expectation, who: Visitor) => boolean,
): readonly Json[] {
  for (const who of everybody(asked.model, asked.app)) {
    const answer = answerIn(state, { ...asked, ...who });
    const { holds, change } = state;
    if (answer !== undefined && isWanted(answer, who))
      return [[asked.operation, who.name, answer, holds, ...(change ? [change] : [])]];
  }
  return [];
}

function answerIn({ holds, change }: State, asked: Asked & Visitor): Expectation | undefined {
  const { full } = exampleRows(asked.model, asked.app);
  const question = { ...asked, row: { ...full, ...holds } };
  // What only the server sets is in no body.
  const isSent = Object.keys(holds).every((name) => Object.hasOwn(full, name));
  if (asked.operation === 'create' && !isSent) return undefined;
  return change === undefined ? answerTo(question) : answerToChange(question, change);
}
