import type { Client } from 'pg';
import { quote } from './take-column.ts';
import type { ChangedTable } from './take-columns.ts';
import type { SchemaFacts } from '../checks.ts';
import { isIndex, placeIn, type TakeoverStep } from '../plan-takeover.ts';

/** What stands on columns that change, and goes on standing. */
interface Standing {
  readonly before: readonly TakeoverStep[];
  readonly after: readonly TakeoverStep[];
}

interface Part {
  readonly object: string;
  readonly name: string;
  readonly table: string;
  readonly definition: string;
}

/**
 * What names values of an enum type, whose columns become texts, or ranges of times without a zone, and triggers that
 * name columns, which could not change their type under them: all are made again, and `found` has them as they are then.
 */
export function standingParts(
  found: SchemaFacts,
  changed: readonly ChangedTable[],
): Standing & { readonly found: SchemaFacts; readonly obstacles: readonly string[] } {
  const all = changed.flatMap(({ table, enums, isRetyped, isZoned }) =>
    partsOn(found, table)
      .filter(
        ({ definition }) =>
          enums.some((type) => definition.includes(`::${type}`)) ||
          (isRetyped && isTrigger(definition) && / (?:UPDATE OF|WHEN) /.test(definition)) ||
          (isZoned && definition.includes('tsrange(')),
      )
      .map((part) => {
        const ofTexts = enums.reduce(asTexts, part.definition);
        const later = isZoned ? ofTexts.replaceAll(withoutZone, 'tstzrange(') : ofTexts;
        return { ...part, later, isOfEnum: ofTexts !== part.definition };
      }),
  );
  if (all.length === 0) return { found, before: [], after: [], obstacles: [] };
  const names = all.map(({ name }) => name).join(', ');
  return {
    found: new Map([...found, ...all.map(({ object, later }) => [object, later] as const)]),
    obstacles: all
      .filter(({ definition, isOfEnum }) => isOfEnum && / [<>]=? /.test(definition))
      .map(
        ({ object }) =>
          `The ${object} compares, and values that become texts have another order. Drop it, and make it again afterwards.`,
      ),
    before: [
      {
        title: `What stands on columns that get another type is made again: ${names}.`,
        statements: all.map((part) => dropPart(part)),
      },
    ],
    after: [{ title: 'The same again.', statements: all.map((it) => makePart(it, it.later)) }],
  };
}

/** Those of constraints are made with them. */
function partsOn(found: SchemaFacts, table: string): readonly Part[] {
  const start = `constraint ${table}.`;
  return [...found].flatMap(([object, definition]) => {
    const kind = [start, `trigger ${table}.`].find((it) => object.startsWith(it));
    if (kind !== undefined) {
      return [{ object, definition, table, name: object.slice(kind.length) }];
    }
    const name = object.slice('index '.length);
    const isItsOwn = isIndex(definition) && !found.has(start + name);
    return isItsOwn && placeIn(definition) === table ? [{ object, definition, table, name }] : [];
  });
}

const withoutZone = /\btsrange\(/g;

function asTexts(definition: string, type: string): string {
  return definition.replaceAll(`::${type}`, '::text');
}

const isTrigger = (definition: string) => /^CREATE (?:CONSTRAINT )?TRIGGER /.test(definition);

function dropPart({ name, table, definition }: Part): string {
  if (isTrigger(definition)) return `DROP TRIGGER ${quote(name)} ON ${quote(table)};`;
  if (isIndex(definition)) return `DROP INDEX ${quote(name)};`;
  return `ALTER TABLE ${quote(table)} DROP CONSTRAINT ${quote(name)};`;
}

function makePart({ name, table }: Part, definition: string): string {
  if (isIndex(definition)) return `${definition};`;
  if (isTrigger(definition)) {
    const [made = '', isOff] = definition.split(/( \(switched off\))$/);
    return `${made};${isOff ? `\nALTER TABLE ${quote(table)} DISABLE TRIGGER ${quote(name)};` : ''}`;
  }
  return `ALTER TABLE ${quote(table)} ADD CONSTRAINT ${quote(name)} ${definition};`;
}

/** Foreign keys to a primary key that gives way: its columns stay unique by an index. */
export function keysTo(found: SchemaFacts, changed: readonly ChangedTable[]): Standing {
  const tables = changed.filter(({ isRekeyed }) => isRekeyed).map(({ table }) => table);
  const parts = tables.flatMap((target) => {
    const [columns = ''] = /\(.*\)/.exec(found.get(`primary key of ${target}`) ?? '') ?? [];
    return [...found].flatMap(([object, definition]): Part[] => {
      const [, table = '', name = ''] = /^constraint (.*?)\.(.*)$/.exec(object) ?? [];
      const ends = [target, quote(target)].map((it) => ` REFERENCES ${it}${columns}`);
      const isKey = definition.startsWith('FOREIGN KEY ') && columns !== '';
      const leadsThere = isKey && ends.some((end) => definition.includes(end));
      return leadsThere ? [{ object, definition, table, name }] : [];
    });
  });
  if (parts.length === 0) return { before: [], after: [] };
  const names = parts.map(({ name }) => name).join(', ');
  return {
    before: [
      {
        title: `Keys to one that gives way are made again at the end: ${names}.`,
        statements: parts.map((part) => dropPart(part)),
      },
    ],
    after: [
      {
        title: 'The same keys, to columns that are unique.',
        statements: parts.map((part) => makePart(part, part.definition)),
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
