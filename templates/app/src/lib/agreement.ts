import { type Expression, sql } from 'kysely';
import type { Database } from '../database/client.ts';
import {
  among,
  type Condition,
  type Memberships,
  type Model,
  type Policy,
  type Steps,
} from './access.ts';
import { evaluate, selectConditions } from './evaluate.ts';
import { bodyFault, invalid } from './problem.ts';
import type { Id } from './resource.ts';
import { idSlot } from './rows.ts';
import { all } from './sql.ts';

/** What holds of a row whose keys agree; `other` is the key with which one has to. */
interface Agreement {
  readonly other: string;
  readonly holds: (model: Model) => Condition;
}

/** Which keys of a row have to agree with others: 422 at each that does not, whoever has written it. */
export function agreement(rules: Readonly<Record<string, Agreement>>): Policy['agreement'] {
  return async (open: Database, model: Model, row: { readonly id: Id }, input: object) => {
    const values = new Map<string, unknown>(Object.entries(row));
    const concerned = Object.entries(rules).filter(
      ([key, { other }]) =>
        (Object.hasOwn(input, key) || Object.hasOwn(input, other)) && values.get(key) !== null,
    );
    if (concerned.length === 0) return;
    const statement = ['agreement', model.name, ...concerned.map(([key]) => key)];
    const write = () =>
      selectConditions(concerned.map(([, { holds }]) => all([sql`1 = 1`, sql`${holds(model)}`])));
    const found = await evaluate(open, statement, write, { id: row.id });
    const wrong = concerned.filter((_, index) => found?.[index] !== true);
    if (wrong.length === 0) return;
    throw invalid(
      wrong.map(([key, { other }]) =>
        bodyFault(key, 'disagrees', `does not belong together with \`${other}\``),
      ),
    );
  };
}

/** That both lead to the same row. */
export function sameRow(one: Steps, other: Steps): Agreement {
  return {
    other: other[0],
    holds: (model) => sql<boolean>`${endOf(one, model)} = ${endOf(other, model)}`,
  };
}

/** That the user to whom a key leads is a member of the row to which others lead. */
export function isMember(
  key: string,
  of: Steps,
  kind: () => Memberships,
  ...roles: readonly string[]
): Agreement {
  return {
    other: of[0],
    holds: (model) => {
      const isOf = (column: Expression<unknown>) => sql<boolean>`${column} = ${endOf(of, model)}`;
      return among(endOf([key], model), kind().people(isOf, roles));
    },
  };
}

/** To what the row at hand leads. It is asked for by its id: the table may be the one in which members are looked up. */
function endOf([key, ...columns]: Steps, model: Model): Expression<unknown> {
  const own = `${model.table}.${model.fields[key]?.column ?? key}`;
  return [own, ...columns].reduce<Expression<unknown>>((id, step) => {
    const [table = '', name = ''] = step.split('.');
    const column = sql.ref(`_there.${name}`);
    return sql`(select ${column} from ${sql.table(table)} as _there where _there.id = ${id})`;
  }, idSlot);
}
