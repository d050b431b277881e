import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  sql,
  type SqlBool,
} from 'kysely';
import { slot, type Slot } from '../database/slot.ts';
import type { Tables, UserId, UserRow } from '../database/tables.ts';

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

export type Operation = 'list' | 'read' | 'create' | 'update' | 'delete';
/** A rule that knows its table. */
type BoundRule = (viewer: ViewerInSql | null) => Condition;

export type Policy = Readonly<Record<Operation, BoundRule>> & {
  /** By the names of fields. */
  readonly fields: ReadonlyMap<string, Required<FieldRules<BoundRule>>>;
  readonly embed: readonly string[];
};

/** Who sees a value, of those who see the row, and who writes it, of those who write the row; all where nothing is said. */
interface FieldRules<FieldRule> {
  readonly read?: FieldRule;
  readonly write?: FieldRule;
}

type Rules<Table extends keyof Tables> = Readonly<Record<Operation, Rule<NoInfer<Table>>>> & {
  readonly table: Table;
  readonly fields?: Readonly<Record<string, FieldRules<Rule<NoInfer<Table>>>>>;
  /** What is shown of a row to those who may not read it, but one that leads to it. */
  readonly embed?: readonly string[];
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
  ...rules
}: Rules<Table>): Policy {
  const rows = expressionBuilder<Tables, Table>();
  const bound = (rule: Rule<Table>) => (viewer: ViewerInSql | null) =>
    isAdmin(viewer) || rule(viewer, rows, table);
  return {
    list: bound(rules.list),
    read: bound(rules.read),
    create: bound(rules.create),
    update: bound(rules.update),
    delete: bound(rules.delete),
    fields: new Map(
      Object.entries(fields).map(([name, { read = everyone, write = everyone }]) => [
        name,
        { read: bound(read), write: bound(write) },
      ]),
    ),
    embed,
  };
}

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
    return conditions.length === 0 ? false : group(conditions, ' or ');
  };
}

export function allOf<Table extends keyof Tables>(...rules: readonly Rule<Table>[]): Rule<Table> {
  return (...asked) => {
    const conditions = rules.map((rule) => rule(...asked)).filter((each) => each !== true);
    if (conditions.includes(false)) return false;
    return conditions.length === 0 ? true : group(conditions, ' and ');
  };
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
