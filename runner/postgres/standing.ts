import type { Client } from 'pg';
import type { ChangedTable } from './take-columns.ts';
import type { SchemaFacts } from '../checks.ts';
import { isIndex, placeIn, type TakeoverStep } from '../plan-takeover.ts';
import { quoteName } from '../statements.ts';

/**
 * What names values of an enum type, whose columns become texts, ranges of times without a zone, and triggers that name
 * columns: no column changes its type under them.
 */
export function partsInTheWay(
  found: SchemaFacts,
  changed: readonly ChangedTable[],
): readonly string[] {
  return changed.flatMap(({ table, enums, isRetyped, isZoned }) =>
    partsOn(found, table)
      .filter(
        ([, definition]) =>
          enums.some((type) => definition.includes(`::${type}`)) ||
          (isRetyped &&
            /^CREATE (?:CONSTRAINT )?TRIGGER .* (?:UPDATE OF|WHEN) /s.test(definition)) ||
          (isZoned && definition.includes('tsrange(')),
      )
      .map(
        ([object]) =>
          `The ${object} is in the way of a column that gets another type. Drop it, and create it again afterwards.`,
      ),
  );
}

/** The indexes of constraints are theirs. */
function partsOn(found: SchemaFacts, table: string): readonly (readonly [string, string])[] {
  const rule = `constraint ${table}.`;
  return [...found].filter(([object, definition]) => {
    if (object.startsWith(rule) || object.startsWith(`trigger ${table}.`)) return true;
    const name = object.slice('index '.length);
    return isIndex(definition) && !found.has(rule + name) && placeIn(definition) === table;
  });
}

interface Standing {
  readonly before: readonly TakeoverStep[];
  readonly after: readonly TakeoverStep[];
}

/** Foreign keys to a primary key that gives way: its columns stay unique by an index. */
export function keysTo(found: SchemaFacts, changed: readonly ChangedTable[]): Standing {
  const tables = changed.filter(({ isRekeyed }) => isRekeyed).map(({ table }) => table);
  const keys = tables.flatMap((target) => {
    const [columns = ''] = /\(.*\)/.exec(found.get(`primary key of ${target}`) ?? '') ?? [];
    return [...found].flatMap(([object, definition]) => {
      const [, table = '', name = ''] = /^constraint (.*?)\.(.*)$/.exec(object) ?? [];
      const ends = [target, quoteName(target)].map((it) => ` REFERENCES ${it}${columns}`);
      const isKey = definition.startsWith('FOREIGN KEY ') && columns !== '';
      const leadsThere = isKey && ends.some((end) => definition.includes(end));
      const alter = `ALTER TABLE ${quoteName(table)}`;
      return leadsThere ? [{ name, definition, alter }] : [];
    });
  });
  if (keys.length === 0) return { before: [], after: [] };
  const names = keys.map(({ name }) => name).join(', ');
  return {
    before: [
      {
        title: `Keys to one that gives way are made again at the end: ${names}.`,
        statements: keys.map(({ name, alter }) => `${alter} DROP CONSTRAINT ${quoteName(name)};`),
      },
    ],
    after: [
      {
        title: 'The same keys, to columns that are unique.',
        statements: keys.map(
          ({ name, definition, alter }) =>
            `${alter} ADD CONSTRAINT ${quoteName(name)} ${definition};`,
        ),
      },
    ],
  };
}

interface View {
  readonly name: string;
  readonly definition: string;
  readonly isPlain: boolean;
}

/** No column changes its type under a view: those that are nothing but a query are made again. */
export async function standingViews(client: Client, tables: readonly string[]) {
  const { rows } = await client.query<View>(viewsSql, [tables]);
  const plain = rows.filter(({ isPlain }) => isPlain);
  return {
    obstacles: rows
      .filter(({ isPlain }) => !isPlain)
      .map(
        ({ name }) =>
          `The view ${name} reads columns whose type changes, and is more than a query. Drop it, and make it again afterwards.`,
      ),
    before: plain.toReversed().map(({ name }) => ({
      title: `The view ${name} reads columns whose type changes: it is made again at the end.`,
      statements: [`DROP VIEW ${name};`],
    })),
    after: plain.map(({ name, definition }) => ({
      title: `The view ${name}, as it was.`,
      statements: [`CREATE VIEW ${name} AS ${definition}`],
    })),
  };
}

/** Each after those that it reads. Grants, comments, options, triggers and rows of its own would be lost. */
const viewsSql = `
  with recursive standing as (
    select ev_class as oid, 1 as depth from pg_rewrite join pg_depend on pg_depend.objid = pg_rewrite.oid
    where refobjid in (
      select oid from pg_class where relnamespace = quote_ident(current_schema())::regnamespace and relname = any($1)
    ) and ev_class <> refobjid
    union
    select ev_class, depth + 1 from standing join pg_depend on refobjid = standing.oid
      join pg_rewrite on pg_rewrite.oid = pg_depend.objid
    where ev_class <> refobjid
  )
  select pg_class.oid::regclass::text as name, pg_get_viewdef(pg_class.oid) as definition,
    relkind = 'v' and relacl is null and reloptions is null and relowner = current_user::regrole
      and not exists (select from pg_description where objoid = pg_class.oid)
      and not exists (select from pg_trigger where tgrelid = pg_class.oid)
      and (select count(*) from pg_rewrite where ev_class = pg_class.oid) = 1 as "isPlain"
  from standing join pg_class using (oid) group by pg_class.oid order by max(depth), 1
`;
