import { expressionBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { among, anyOf, type Condition, type Rule, type ViewerInSql } from './access.ts';
import type { Memberships } from './memberships.ts';
import type { Resource } from './resource.ts';
import { alive, admitted, column, from, source, where } from './sql.ts';

type Kind = Memberships & (() => Rule<keyof Tables>);

/** Users who are members of something of which the viewer is a member: `shares(() => organisations, () => member)`. */
export function shares(to: () => Resource, ...kinds: readonly (() => Kind)[]) {
  return <Table extends keyof Tables>(
    viewer: ViewerInSql | null,
    _rows: unknown,
    table: Table,
  ): Condition => {
    const there = source(to());
    const rows = expressionBuilder<Tables, keyof Tables>();
    const mine = anyOf(...kinds.map((kind) => kind()()))(viewer, rows, there.resource.table);
    if (mine === false) return false;
    const found = where([...alive(there), ...admitted(there, mine)]);
    const shared = sql`select ${column(there, 'id')} from ${from(there)}${found}`;
    const people = kinds.map(
      (kind) => () =>
        among(
          sql.ref(`${table}.id`),
          kind().people((of) => among(of, shared)),
        ),
    );
    return anyOf(...people)(viewer, rows, table);
  };
}
