import type { Migration } from '../../../src/evolve/migration.ts';
import { rowCounts } from '../../../src/schema/internal-tables.ts';
import { type Draw, oneOf } from '../../evolve/random/draw.ts';
import type { Store } from '../../evolve/support/store.ts';
import type { Engine } from '../../../src/types/field-type.ts';

/** How often an object of the owner has survived a migration, and how often a migration has stopped and named it. */
export interface OwnCounts {
  survived: number;
  stopped: number;
  /** How many of each kind were made. */
  readonly made: Map<string, number>;
}

export const noneYet = (): OwnCounts => ({ survived: 0, stopped: 0, made: new Map() });

interface Place {
  readonly table: string;
  readonly column: string;
}

interface OwnObject extends Place {
  readonly kind: string;
  readonly drop: string;
  readonly use: string | undefined;
}

/** SQL that makes it, that drops it, and that fails when it no longer does its work. */
type Make = (name: string, place: Place) => readonly [create: string, drop: string, use?: string];

const index: Make = (name, { table, column }) => [
  `CREATE INDEX ${name} ON "${table}" ("${column}")`,
  `DROP INDEX ${name}`,
];
const partialIndex: Make = (name, { table, column }) => [
  `CREATE UNIQUE INDEX ${name} ON "${table}" (("${column}" IS NULL)) WHERE "${column}" <> "${column}"`,
  `DROP INDEX ${name}`,
];
const view: Make = (name, { table, column }) => [
  `CREATE VIEW ${name} AS SELECT "${column}" FROM "${table}"`,
  `DROP VIEW ${name}`,
];
const inlineConstraint: Make = (name, { table }) => [
  `ALTER TABLE "${table}" ADD COLUMN ${name} int CHECK (${name} > 0) REFERENCES "${table}" (id)`,
  `ALTER TABLE "${table}" DROP COLUMN ${name}`,
];

/** By kind of object. */
export const ownKinds: Readonly<Record<Engine, Readonly<Record<string, Make>>>> = {
  sqlite: {
    index,
    partialIndex,
    view,
    inlineConstraint,
    trigger: (name, { table, column }) => [
      `CREATE TRIGGER ${name} AFTER UPDATE ON "${table}" BEGIN SELECT new."${column}"; END`,
      `DROP TRIGGER ${name}`,
    ],
    generatedColumn: (name, { table, column }) => [
      `ALTER TABLE "${table}" ADD COLUMN ${name} int AS ("${column}" IS NULL)`,
      `ALTER TABLE "${table}" DROP COLUMN ${name}`,
    ],
    // The test's own mark of a row never changes: only changed row numbers could make the index wrong.
    virtualTable: (name, { table }) => [
      `CREATE VIRTUAL TABLE ${name} USING fts5(mark, content="${table}"); INSERT INTO ${name}(${name}) VALUES ('rebuild')`,
      `DROP TABLE ${name}`,
      `INSERT INTO ${name}(${name}, rank) VALUES ('integrity-check', 1)`,
    ],
  },
  postgres: {
    index,
    partialIndex,
    view,
    inlineConstraint,
    trigger: (name, { table, column }) => [
      `CREATE OR REPLACE FUNCTION own_quiet() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER ${name} BEFORE UPDATE OF "${column}" ON "${table}" FOR EACH ROW EXECUTE FUNCTION own_quiet()`,
      `DROP FUNCTION own_quiet CASCADE`,
    ],
    check: (name, { table, column }) => [
      `ALTER TABLE "${table}" ADD CONSTRAINT ${name} CHECK ("${column}" IS NULL OR "${column}" = "${column}")`,
      `ALTER TABLE "${table}" DROP CONSTRAINT ${name}`,
    ],
    unique: (name, { table, column }) => [
      `ALTER TABLE "${table}" ADD CONSTRAINT ${name} UNIQUE ("${column}", id)`,
      `ALTER TABLE "${table}" DROP CONSTRAINT ${name}`,
    ],
    statistics: (name, { table, column }) => [
      `CREATE STATISTICS ${name} ON "${column}", id FROM "${table}"`,
      `DROP STATISTICS ${name}`,
    ],
    policy: (name, { table, column }) => [
      `CREATE POLICY ${name} ON "${table}" USING ("${column}" IS NOT NULL)`,
      `DROP POLICY ${name} ON "${table}"`,
    ],
    generatedColumn: (name, { table, column }) => [
      `ALTER TABLE "${table}" ADD COLUMN ${name} boolean GENERATED ALWAYS AS ("${column}" IS NULL) STORED`,
      `ALTER TABLE "${table}" DROP COLUMN ${name}`,
    ],
    comment: (name, { table, column }) => [
      `COMMENT ON COLUMN "${table}"."${column}" IS '${name}'`,
      `DELETE FROM pg_description WHERE description = '${name}'`,
    ],
    grant: (name, { table, column }) => [
      `CREATE ROLE ${name}; GRANT SELECT ("${column}") ON "${table}" TO ${name}`,
      `DROP OWNED BY ${name}; DROP ROLE ${name}`,
    ],
  },
};

/** These are dropped with their column: nothing else is lost by that. */
const ofColumn: ReadonlySet<string> = new Set(['comment', 'grant']);

/** Columns of tables with an `id`. The `id` of the table of totals is not its key, so nothing can point to it. */
const places: Readonly<Record<Engine, string>> = {
  sqlite: `SELECT tables.name AS "table", columns.name AS "column"
    FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
    WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%' AND tables.name NOT IN ('schema_migrations', '${rowCounts}')
      AND columns.name <> 'id' AND EXISTS (SELECT FROM pragma_table_info(tables.name) WHERE name = 'id')`.replace(
    'SELECT FROM',
    'SELECT 1 FROM',
  ),
  postgres: `SELECT table_name AS table, column_name AS column FROM information_schema.columns AS c
    WHERE table_schema = current_schema() AND table_name NOT LIKE 'schema_migration%' AND table_name <> '${rowCounts}' AND column_name <> 'id'
      AND data_type NOT IN ('json')
      AND EXISTS (SELECT FROM information_schema.columns AS d WHERE d.table_schema = c.table_schema AND d.table_name = c.table_name AND d.column_name = 'id')`,
};

const names: Readonly<Record<Engine, string>> = {
  sqlite: `SELECT name FROM sqlite_schema UNION SELECT columns.name
    FROM sqlite_schema AS tables, pragma_table_xinfo(tables.name) AS columns WHERE tables.type = 'table'`,
  postgres: `SELECT relname AS name FROM pg_class WHERE relnamespace = quote_ident(current_schema())::regnamespace
    UNION SELECT conname FROM pg_constraint UNION SELECT tgname FROM pg_trigger UNION SELECT polname FROM pg_policy
    UNION SELECT stxname FROM pg_statistic_ext
    UNION SELECT description FROM pg_description WHERE description LIKE 'own%'
    UNION SELECT rolname FROM pg_attribute, aclexplode(attacl), pg_roles WHERE pg_roles.oid = grantee
    UNION SELECT attname FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid
      WHERE relnamespace = quote_ident(current_schema())::regnamespace AND NOT attisdropped`,
};

let count = 0;

/** Before each migration the owner makes something somewhere: it survives, or the migration stops and names it. */
export interface Owner {
  readonly draw: Draw;
  readonly engine: Engine;
  readonly counts: OwnCounts;
  /** The kinds that they make, if not all. */
  readonly kinds?: readonly string[];
  /** What a faulty migration would do besides: drop the object, or run the SQL that is returned for its table. */
  readonly spoil?: 'drop' | ((table: string) => string);
}

export function withOwnObjects(store: Store, owner: Owner): Store {
  const { engine, counts, spoil } = owner;
  const isThere = async (name: string) => {
    const found = await store.rows(names[engine]);
    return found.some((row) => row['name'] === name);
  };
  return {
    ...store,
    async apply(migration: Migration, way = 'up.sql') {
      count += 1;
      const name = `own_${count}`;
      const own = await makeOwn(store, owner, name, migration.files[way] ?? '');
      if (own === undefined) return store.apply(migration, way);
      const error = await store.apply(migration, way).then(
        () => undefined,
        (cause: unknown) => cause,
      );
      if (error === undefined) {
        const drop = await dropOf(store, own, engine, name);
        if (spoil !== undefined) {
          await store.run(spoil === 'drop' ? drop : spoil(own.table)).catch(no);
        }
        if (await isThere(name)) {
          counts.survived += 1;
          if (own.use !== undefined) {
            await store.run(own.use).catch((cause: unknown) => {
              throw new Error(`${name} is wrong: ${String(cause)}`, { cause });
            });
          }
          await store.run(drop);
        } else if (!isDropped(own, migration.files[way] ?? '')) {
          throw new Error(`${name} is gone: ${own.drop}`);
        }
        return;
      }
      await store.run(own.drop);
      if (!String(error).includes(name)) throw error;
      counts.stopped += 1;
      await store.apply(migration, way);
    },
  };
}

async function makeOwn(
  store: Store,
  { draw, engine, counts, kinds = Object.keys(ownKinds[engine]) }: Owner,
  name: string,
  sql: string,
): Promise<OwnObject | undefined> {
  const found = await store.rows(`${places[engine]} ORDER BY 1, 2`);
  // Columns that are about to be dropped matter most.
  const going = found.filter(({ column }) =>
    new RegExp(`DROP COLUMN "?${String(column)}"?[;,]`).test(sql),
  );
  const place = oneOf(draw, going.length > 0 ? going : found);
  const kind = oneOf(draw, kinds) ?? '';
  const own = ownKinds[engine][kind];
  if (place === undefined || own === undefined) return undefined;
  const at = { table: String(place['table']), column: String(place['column']) };
  const [create, drop, use] = own(name, at);
  // Not every kind can be made on every type, and one that is made in part is dropped.
  const isMade = await store.run(create).then(
    () => true,
    () => store.run(drop).then(no, no),
  );
  if (!isMade) return undefined;
  counts.made.set(kind, (counts.made.get(kind) ?? 0) + 1);
  return { ...at, kind, drop, use };
}

function no(): boolean {
  return false;
}

/** Its table may have another name by now. */
async function dropOf(store: Store, { table, drop }: OwnObject, engine: Engine, name: string) {
  const homes: Readonly<Record<Engine, string>> = {
    sqlite: `SELECT tables.name FROM sqlite_schema AS tables, pragma_table_xinfo(tables.name) AS columns
      WHERE tables.type = 'table' AND columns.name = '${name}'`,
    postgres: `SELECT relname AS name FROM pg_class WHERE relnamespace = quote_ident(current_schema())::regnamespace AND oid IN (
      SELECT attrelid FROM pg_attribute WHERE attname = '${name}' AND NOT attisdropped
      UNION SELECT polrelid FROM pg_policy WHERE polname = '${name}'
      UNION SELECT conrelid FROM pg_constraint WHERE conname = '${name}') AND relkind = 'r'`,
  };
  const [home] = await store.rows(homes[engine]);
  return home === undefined ? drop : drop.replace(`"${table}"`, `"${String(home['name'])}"`);
}

function isDropped({ kind, table, column }: OwnObject, sql: string): boolean {
  if (ofColumn.has(kind) && new RegExp(`DROP COLUMN "?${column}"?[;,]`).test(sql)) return true;
  return new RegExp(`DROP TABLE "?${table}"?;`).test(sql) && !sql.includes(`${table}__rebuilt`);
}
