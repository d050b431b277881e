import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  sql,
  type SqlBool,
} from 'kysely';
import type { Database } from '../database/client.ts';
import { amongFound } from '../database/dialect.ts';
import { slot, type Slot } from '../database/slot.ts';
import type { Tables, UserId, UserRow } from '../database/tables.ts';
import { refusal } from './problem.ts';

/** Who asks; nobody is `null`. */
export interface Viewer {
  readonly id: UserId | 0;
  readonly role: string;
}

/**
 * The viewer as a statement knows them while it is written: by their role. One statement serves everybody who has that
 * role, so whatever else is theirs has a slot in it.
 */
export interface ViewerInSql {
  readonly role: string;
  readonly id: Slot<UserId>;
  /** What the viewer's own row holds: `viewer.value('organisation_id')`. */
  value<Column extends keyof UserRow>(column: Column): Slot<UserRow[Column]>;
}

/** Which rows a viewer is admitted to: all, none, or those of which the expression is true. */
export type Condition = boolean | Expression<SqlBool>;

/** Write it with the table's name: `(viewer, posts) => posts('posts.status', '=', 'published')`. */
export type Rule<Table extends keyof Tables> = (
  viewer: ViewerInSql | null,
  rows: ExpressionBuilder<Tables, Table>,
  table: Table,
) => Condition;

export type Operation = 'list' | 'read' | 'create' | 'update' | 'delete' | 'restore' | 'refer';
/** A rule that knows its table. */
export type BoundRule = (viewer: ViewerInSql | null) => Condition;

/** A way to be admitted to a change: `who` is asked of the row before and after it, `if` before, `then` after. */
export interface Change<Asked> {
  readonly who: Asked;
  readonly if?: Asked;
  readonly then?: Asked;
}

export type Policy = Readonly<Record<Operation, BoundRule>> & {
  /** All ways to change a row: whom one admits before the change, it has to admit after it. */
  readonly changes: readonly { readonly before: BoundRule; readonly after: BoundRule }[];
  /** By the names of fields. */
  readonly fields: ReadonlyMap<string, Required<FieldRules<BoundRule>>>;
  readonly embed: readonly string[];
  /** What a row of the table makes of the user whom it names. */
  readonly gives: readonly (() => Memberships)[];
  /** Throws 422 for keys of a row that was written which do not agree. */
  readonly agreement?:
    ((open: Database, model: Model, row: Written, input: object) => Promise<void>) | undefined;
};

/** Where rows are kept: of a `Resource`, as much as rules have to know. */
export interface Model {
  readonly name: string;
  readonly table: string;
  readonly fields: { readonly [name: string]: { readonly column?: string | undefined } };
}

interface Written {
  readonly id: number | string;
}

/** The rows by which users are members of something: what `members` of `members.ts` makes. */
export interface Memberships {
  /** Those of a role that is not above what the viewer has there. */
  readonly upToOwn: BoundRule;
  /**
   * Called before a row is changed or deleted; what it returns is called afterwards, and throws 409 when that has left
   * nobody who has to stay.
   */
  readonly keepLast: (open: Database, id: number | string) => Promise<() => Promise<void>>;
  /** The ids of the users, of these roles or of any, whose rows lead to where that holds. */
  readonly people: (
    isOf: (column: Expression<unknown>) => Condition,
    roles?: readonly string[],
  ) => Expression<unknown>;
}

/** Who sees a value, of those who see the row, and who writes it, of those who write the row; all where nothing is said. */
interface FieldRules<FieldRule> {
  readonly read?: FieldRule;
  readonly write?: FieldRule;
}

type Rules<Table extends keyof Tables> = Readonly<
  Record<Exclude<Operation, 'update' | 'restore' | 'refer'>, Rule<NoInfer<Table>>>
> & {
  readonly table: Table;
  readonly update:
    Rule<NoInfer<Table>> | readonly (Rule<NoInfer<Table>> | Change<Rule<NoInfer<Table>>>)[];
  /** What has to hold as well, for every operation. */
  readonly only?: Rule<NoInfer<Table>>;
  /** Who lists what was deleted, and brings it back; admins alone where nothing is said. */
  readonly restore?: Rule<NoInfer<Table>>;
  /** Who puts a key to a row into one of theirs; who may read the row where nothing is said. */
  readonly refer?: Rule<NoInfer<Table>>;
  readonly fields?: Readonly<Record<string, FieldRules<Rule<NoInfer<Table>>>>>;
  /** What is shown of a row to those who may not read it, but one that leads to it. */
  readonly embed?: readonly string[];
  /** Whose members the rows make: nobody gives or takes a role above their own. */
  readonly gives?: readonly (() => Memberships)[];
  /** Keys that have to agree with others. */
  readonly agreement?: Policy['agreement'];
};

/** Passes every rule: for commands and your own jobs. */
export const system: Viewer = { id: 0, role: 'admin' };

export function isAdmin(viewer: Pick<Viewer, 'role'> | null): boolean {
  return viewer?.role === 'admin';
}

/** Adds what holds for every model: admins always pass. */
export function definePolicy<Table extends keyof Tables>({
  table,
  fields = {},
  embed = [],
  gives = [],
  agreement,
  only = everyone,
  ...rules
}: Rules<Table>): Policy {
  const rows = expressionBuilder<Tables, Table>();
  const bound = (...all: readonly Rule<Table>[]) => {
    const rule = allOf(...all, only);
    return (viewer: ViewerInSql | null) => isAdmin(viewer) || rule(viewer, rows, table);
  };
  const upToOwn = gives.map((kind) => (viewer: ViewerInSql | null) => kind().upToOwn(viewer));
  const changes = [rules.update].flat().map((way) => {
    const { who, if: before = everyone, then = everyone } = 'who' in way ? way : { who: way };
    return { before: allOf(who, before), after: allOf(who, then) };
  });
  return {
    list: bound(rules.list),
    read: bound(rules.read),
    create: bound(rules.create, ...upToOwn),
    update: bound(anyOf(...changes.map(({ before }) => before)), ...upToOwn),
    changes: changes.map(({ before, after }) => ({
      before: bound(before, ...upToOwn),
      after: bound(after, ...upToOwn),
    })),
    delete: bound(rules.delete, ...upToOwn),
    restore: bound(rules.restore ?? nobody, ...upToOwn),
    refer: bound(rules.refer ?? rules.read),
    fields: new Map(
      Object.entries(fields).map(([name, { read = everyone, write = everyone }]) => [
        name,
        { read: bound(read), write: bound(write) },
      ]),
    ),
    embed,
    gives,
    agreement,
  };
}

const nobody = () => false;

export const everyone = () => true;

export const signedIn = (viewer: ViewerInSql | null) => viewer !== null;

/** The user whose id a row holds in `column`. */
export function owner(column: string) {
  return <Table extends keyof Tables>(
    viewer: ViewerInSql | null,
    _rows: unknown,
    table: Table,
  ): Condition => viewer !== null && sql<SqlBool>`${sql.ref(`${table}.${column}`)} = ${viewer.id}`;
}

/** The user that a row is about. */
export const self = owner('id');

export function role(...names: readonly string[]) {
  return (viewer: ViewerInSql | null) => viewer !== null && names.includes(viewer.role);
}

export function anyOf<Table extends keyof Tables>(...rules: readonly Rule<Table>[]): Rule<Table> {
  return (...asked) => {
    const conditions = rules.map((rule) => rule(...asked)).filter((each) => each !== false);
    if (conditions.includes(true)) return true;
    return conditions.length === 0 ? false : group(conditions.map(besideOr), ' or ');
  };
}

export function allOf<Table extends keyof Tables>(...rules: readonly Rule<Table>[]): Rule<Table> {
  return (...asked) => {
    const conditions = rules.map((rule) => rule(...asked)).filter((each) => each !== true);
    if (conditions.includes(false)) return false;
    if (conditions.length === 0) return true;
    const all = group(conditions, ' and ');
    lookups.set(all, group(conditions.map(besideOr), ' and '));
    return all;
  };
}

/** Whether a column holds one of the values that a query finds, which names no table but its own. */
export function among(column: Expression<unknown>, query: Expression<unknown>): Condition {
  const condition = sql<SqlBool>`${column} in (${query})`;
  lookups.set(condition, amongFound(column, query));
  return condition;
}

/** How conditions are written beside an `or`, where that makes a difference. */
const lookups = new WeakMap<Expression<SqlBool>, Expression<SqlBool>>();

function besideOr(condition: Condition): Condition {
  return (typeof condition === 'boolean' ? undefined : lookups.get(condition)) ?? condition;
}

function group(conditions: readonly Condition[], separator: string): Expression<SqlBool> {
  return sql<SqlBool>`(${sql.join(conditions, sql.raw(separator))})`;
}

/** For `$call`: the rows to which a viewer is admitted. */
export function admittedBy(condition: Condition) {
  return <Query extends { where(condition: Expression<SqlBool>): Query }>(query: Query): Query => {
    if (condition === true) return query;
    // Not by its name: in SQLite this would be the column `false` where there is one.
    return query.where(condition === false ? sql<SqlBool>`1 = 0` : condition);
  };
}

/** Throws for a viewer whom a rule admits to no row at all: 401 to nobody, 403 to somebody. */
export function refuse(rule: BoundRule, viewer: Viewer | null): void {
  if (rule(inSql(viewer)) === false) throw refusal(viewer);
}

/** How statements know a viewer. */
export function inSql(viewer: Viewer | null): ViewerInSql | null {
  if (viewer === null) return null;
  const known = byRole.get(viewer.role) ?? viewerInSql(viewer.role);
  byRole.set(viewer.role, known);
  return known;
}

const byRole = new Map<string, ViewerInSql>();

function viewerInSql(name: string): ViewerInSql {
  return { role: name, id: valueOfViewer('id'), value: valueOfViewer };
}

function valueOfViewer<Column extends keyof UserRow>(column: Column): Slot<UserRow[Column]> {
  return slot(({ viewer }) => Reflect.get(viewer ?? {}, column) ?? null);
}
