import { type Expression, sql } from 'kysely';
import type { Database } from '../database/client.ts';
import { encode } from '../database/dialect.ts';
import { slot } from '../database/slot.ts';
import { among, type Condition, type Memberships, type Policy, type Steps } from './access.ts';
import { evaluate, selectConditions } from './evaluate.ts';
import { bodyFault, invalid } from './problem.ts';
import { fieldOf, type Resource } from './resource.ts';
import { all, type Sql } from './sql.ts';

/** What holds of the value of a key that agrees with that of another one. */
interface Agreement {
  readonly other: string;
  readonly holds: (key: Sql, other: Sql) => Condition;
}

/** Which keys of a row have to agree with others: 422 at each that does not, whoever has written it. */
export function agreement(rules: Readonly<Record<string, Agreement>>): Policy['agreement'] {
  return async (open: Database, resource: Resource, row: object, input: object) => {
    const values = new Map<string, unknown>(Object.entries(row));
    const concerned = Object.entries(rules).filter(
      ([key, { other }]) =>
        (Object.hasOwn(input, key) || Object.hasOwn(input, other)) &&
        (values.get(key) ?? null) !== null,
    );
    if (concerned.length === 0) return;
    const operands = concerned.flatMap(([key, { other }]) =>
      [key, other].map((name) => encode(values.get(name), fieldOf(resource, name))),
    );
    const statement = ['agreement', resource.name, ...concerned.map(([key]) => key)];
    const write = () =>
      selectConditions(
        concerned.map(([, { holds }], index) => {
          const condition = holds(operand(2 * index), operand(2 * index + 1));
          return all([sql`1 = 1`, sql`${condition}`]);
        }),
      );
    const found = await evaluate(open, statement, write, { operands });
    const wrong = concerned.filter((_, index) => found?.[index] !== true);
    if (wrong.length === 0) return;
    throw invalid(
      wrong.map(([key, { other }]) =>
        bodyFault(key, 'disagrees', `does not belong together with \`${other}\``),
      ),
    );
  };
}

const operand = (index: number) => slot(({ operands = [] }) => operands[index]);

/** That both lead to the same row. */
export function sameRow([, ...columns]: Steps, [other, ...others]: Steps): Agreement {
  return {
    other,
    holds: (key, its) => sql<boolean>`${endOf(key, columns)} = ${endOf(its, others)}`,
  };
}

/** That the user to whom the key leads is a member of the row to which others lead. */
export function isMember(
  [other, ...columns]: Steps,
  kind: () => Memberships,
  ...roles: readonly string[]
): Agreement {
  return {
    other,
    holds: (user, its) => {
      const isOf = (of: Expression<unknown>) => sql<boolean>`${of} = ${endOf(its, columns)}`;
      return among(user, kind().people(isOf, roles));
    },
  };
}

/** To what a key leads over columns: `['lessons.school_class_id']`. */
function endOf(key: Sql, columns: readonly string[]): Sql {
  return columns.reduce<Sql>((id, step) => {
    const [table = '', name = ''] = step.split('.');
    const column = sql.ref(`_there.${name}`);
    return sql`(select ${column} from ${sql.table(table)} as _there where _there.id = ${id})`;
  }, key);
}
