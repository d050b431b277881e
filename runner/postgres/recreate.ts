import type { Client } from 'pg';
import type { ChangedTable } from './take-columns.ts';
import type { SchemaParts } from '../checks.ts';
import { isIndex, placeIn, type TakeoverStep } from '../plan-takeover.ts';
import { quoteName } from '../statements.ts';

/**
 * Parts that keep a column from changing its type: those that name values of an enum type, ranges of times without a
 * zone, and triggers that name the column.
 */
export function listObstacles(
  found: SchemaParts,
  changed: readonly ChangedTable[],
): readonly string[] {
  return changed.flatMap(({ table, enums, retyped, isZoned }) =>
    partsOn(found, table)
      .filter(
        ([, definition]) =>
          enums.some((type) => definition.includes(`::${type}`)) ||
          retyped.some((column) => wordsOfTrigger(definition).includes(column)) ||
          (isZoned && definition.includes('tsrange(')),
      )
      .map(
        ([object]) =>
          `The ${object} is in the way of a column that gets another type. Drop it, and create it again afterwards.`,
      ),
  );
}

/** The words of the columns and of the condition that a trigger has. */
function wordsOfTrigger(definition: string): readonly string[] {
  const [, named = ''] = /^CREATE .*? (?:UPDATE OF|WHEN) (.*) EXECUTE /s.exec(definition) ?? [];
  return [...named.matchAll(/"((?:[^"]|"")+)"|[\w$]+/g)].map(([word, quoted]) => quoted ?? word);
}

/** The parts of a table. The index of a constraint is a part of the constraint. */
function partsOn(found: SchemaParts, table: string): readonly (readonly [string, string])[] {
  const rule = `constraint ${table}.`;
  return [...found].filter(([object, definition]) => {
    if (object.startsWith(rule) || object.startsWith(`trigger ${table}.`)) return true;
    const name = object.slice('index '.length);
    return isIndex(definition) && !found.has(rule + name) && placeIn(definition) === table;
  });
}

interface AroundChange {
  readonly before: readonly TakeoverStep[];
  readonly after: readonly TakeoverStep[];
}

/** Recreates foreign keys to a primary key that is replaced. Its columns stay unique by an index. */
export function recreateKeys(found: SchemaParts, changed: readonly ChangedTable[]): AroundChange {
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
        title: `Foreign keys to a primary key that is replaced are recreated at the end: ${names}.`,
        statements: keys.map(({ name, alter }) => `${alter} DROP CONSTRAINT ${quoteName(name)};`),
      },
    ],
    after: [
      {
        title: 'The same foreign keys again, to columns that are unique.',
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

/** Recreates views, since no column can change its type under them. Only for views that have nothing but a query. */
export async function recreateViews(client: Client, tables: readonly string[]) {
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

/** Views after those that they read. Those with grants, comments, options, triggers or stored rows are left out. */
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
