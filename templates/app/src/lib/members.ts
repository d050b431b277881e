import { expressionBuilder, sql, type SqlBool } from 'kysely';
import type { Database } from '../database/client.ts';
import { forUpdate } from '../database/dialect.ts';
import { keptStatements, slot } from '../database/slot.ts';
import type { Tables } from '../database/tables.ts';
import {
  allOf,
  among,
  anyOf,
  type Condition,
  everyone,
  inSql,
  type Memberships,
  owner,
  type Removal,
  type Rule,
  type Steps,
  type ViewerInSql,
} from './access.ts';
import { Problem, refusal } from './problem.ts';
import type { Id, Resource } from './resource.ts';
import { alive, all, source, type Sql } from './sql.ts';

type Columns<Table extends keyof Tables> = keyof Tables[Table] & string;

interface Kind<Table extends keyof Tables, Role extends string> {
  /** Whose rows name the members. */
  readonly table: Table;
  /** The columns that lead to what they are members of, and to the user; who comes by the link of a row counts as them. */
  readonly of: Columns<Table>;
  readonly user?: Columns<Table> | undefined;
  readonly link?: () => Rule<Table>;
  /** The column that holds their role, and the roles from the lowest up. */
  readonly role?: Columns<Table>;
  readonly roles?: readonly Role[];
  /** Whether somebody may give and take a role above their own. */
  readonly isUnranked?: boolean;
  /** Given where rows may be deleted, or belong to what is: those that are gone make nobody a member. */
  readonly deletable?: () => Resource;
  /** Which rows count; all where nothing is said. */
  readonly where?: Rule<Table>;
  /** Of these, the last one stays. */
  readonly lasting?: Rule<Table>;
}

/**
 * The users whom rows of a table name: `member()` admits to rows of which the viewer is a member, `member('owner')` those who
 * have the role.
 */
export function members<Table extends keyof Tables, Role extends string = never>({
  table,
  of,
  user,
  link = () => () => false,
  role,
  roles = [],
  isUnranked = false,
  deletable,
  where = everyone,
  lasting,
}: Kind<Table, Role>) {
  const rows = expressionBuilder<Tables, Table>();
  const run = keptStatements<Tenant>();
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const living: Rule<Table> = () => deletable === undefined || all(aliveMembers(deletable(), of));
  const isViewer: Rule<Table> = (...asked) =>
    anyOf(user === undefined ? () => false : owner(user), link())(...asked);
  /** The rows that make the viewer a member, of which the rule holds. */
  const found = (rule: Rule<Table>, columns: Sql, viewer: ViewerInSql | null) => {
    const theirs = allOf(isViewer, living, rule)(viewer, rows, table);
    return theirs !== false && sql`select ${columns} from ${sql.table(table)} where ${theirs}`;
  };
  /** Whether a column holds what the viewer is a member of by such a row. */
  const joined =
    (at: string, rule: Rule<Table>) =>
    (viewer: ViewerInSql | null): Condition => {
      const theirs = found(rule, column(of), viewer);
      return theirs !== false && among(sql.ref(at), theirs);
    };
  const isOneOf = (names: readonly string[]) => () =>
    sql<SqlBool>`${column(role ?? '')} in (${sql.join(names)})`;

  function member(...wanted: readonly Role[]) {
    const counted = wanted.length === 0 ? where : allOf(where, isOneOf(wanted));
    return <There extends keyof Tables>(
      viewer: ViewerInSql | null,
      _rows: unknown,
      there: There,
    ): Condition => joined(`${there}.id`, counted)(viewer);
  }

  /** A role that the viewer has, or a lower one; whoever has none gives and takes the lowest. */
  const upTo = roles.slice(1).map((name, index) => {
    const isAsHigh = isOneOf(roles.slice(index + 1));
    const has = joined(`${table}.${of}`, allOf(where, isAsHigh));
    // What does not count, as before it is accepted, is a role in that row alone, and where that leads.
    const keeps = (viewer: ViewerInSql | null): Condition => {
      const columns = sql`${column('id')}, ${column(of)}`;
      const theirs = found(isAsHigh, columns, viewer);
      return theirs !== false && sql<SqlBool>`(${columns}) in (${theirs})`;
    };
    return allOf<Table>(isOneOf([name]), anyOf(has, keeps));
  });
  /** What leads nowhere gives nothing. */
  const isLowest = () =>
    sql<SqlBool>`${column(of)} is null or ${column(role ?? '')} is null or ${column(role ?? '')} = ${roles[0]}`;
  const upToOwn = anyOf<Table>(isLowest, ...upTo);
  const isAbove: Rule<Table> = (...asked) => sql<SqlBool>`(${upToOwn(...asked)}) is not true`;
  const isRanked = roles.length > 0 && !isUnranked;
  /** Rows that lead over columns to the one with this id. */
  const leading = ([key, ...columns]: Steps) => {
    const there = columns.reduceRight<Sql>((ids, step) => {
      const [name = '', stored = ''] = step.split('.');
      return sql`select id from ${sql.table(name)} where ${sql.ref(stored)} in (${ids})`;
    }, idSlot);
    return sql<SqlBool>`${column(key)} in (${there})`;
  };

  async function keepLast(
    open: Database,
    id: Id,
    over: Steps = ['id'],
  ): Promise<() => Promise<void>> {
    if (lasting === undefined) return async () => {};
    const stay = allOf(living, where, lasting)(null, rows, table);
    const select = sql`select ${column(of)} as tenant from ${sql.table(table)} where ${stay} and ${column(of)}`;
    // Locks them, whoever comes in the same order: two who leave at the same time would each see the other one stay.
    const before = () => {
      const theirs = sql`select ${column(of)} from ${sql.table(table)} where ${leading(over)}`;
      return sql<Tenant>`${select} in (${theirs}) order by ${column('id')}${forUpdate}`;
    };
    const stayed = await run(open, `before ${over.join()}`, before, { id });
    const tenants = new Set(stayed.map(({ tenant }) => tenant));
    const after = () => sql<Tenant>`${select} = ${tenantSlot} limit 1`;
    return async () => {
      for (const tenant of tenants) {
        const left = await run(open, 'after', after, { operands: [tenant] });
        if (left.length === 0) throw new Problem(409, 'last_member', nobodyLeft);
      }
    };
  }

  async function take(open: Database, removal: Removal, over: Steps): Promise<() => Promise<void>> {
    const { viewer, id } = removal;
    const write = () => {
      const taken = allOf<Table>(living, () => leading(over), isAbove);
      const rule = taken(inSql(viewer), rows, table);
      return sql<Tenant>`select ${column(of)} as tenant from ${sql.table(table)} where ${rule} limit 1`;
    };
    // Whoever may delete a user may do that all the same.
    if (isRanked && over[0] !== user) {
      const above = await run(open, JSON.stringify([viewer?.role, over]), write, removal);
      if (above.length > 0) throw refusal(viewer);
    }
    return keepLast(open, id, over);
  }

  const memberships: Memberships = {
    of,
    user,
    upToOwn: (viewer) => !isRanked || upToOwn(viewer, rows, table),
    keepLast,
    take,
    people: (isOf, names = []) => {
      const counted = names.length === 0 ? where : allOf(where, isOneOf(names));
      const theirs = allOf<Table>(living, counted, () => isOf(column(of)))(null, rows, table);
      return sql`select ${column(user ?? of)} from ${sql.table(table)} where ${theirs}`;
    },
  };
  return Object.assign(member, memberships);
}

/** A tenant that was deleted has its members all the same: they may restore it. */
function aliveMembers(resource: Resource, of: string): readonly Sql[] {
  const { fields, relations } = resource;
  const tenants = Object.values(relations).flatMap((relation) =>
    relation.kind === 'one' && (fields[relation.key]?.column ?? relation.key) === of
      ? [relation.to()]
      : [],
  );
  return alive(source(resource), tenants);
}

const nobodyLeft = 'Nobody would be left with this role: give it to somebody else first.';

interface Tenant {
  readonly tenant: unknown;
}

const idSlot = slot(({ id }) => id);
const tenantSlot = slot(({ operands: [tenant] = [] }) => tenant);
