import type { SchemaParts } from '../checks.ts';
import { listParts } from '../plan-takeover.ts';
import type { Scope } from './take-values.ts';
import { quoteName, quoteText } from '../statements.ts';

interface Key {
  readonly columns: string;
  readonly places: string;
  readonly target: string;
  readonly rules: string;
}

/** Checks and keys of the old table that the new one would lack. */
export function ownRules(table: string, { connection, expected, found }: Scope): readonly string[] {
  const start = `check ${table}: `;
  const checks = [...found.keys()]
    .filter((object) => object.startsWith(start) && !expected.has(object))
    .map((object) => `CHECK (${object.slice(start.length)})`);
  const keys = connection
    .prepare<Key>(
      `select group_concat("from", ', ') as columns, "table" as target,
        group_concat(coalesce("to", (
          select name from pragma_table_info(list."table") where pk = list.seq + 1
        )), ', ') as places,
        ' ON UPDATE ' || on_update || ' ON DELETE ' || on_delete as rules
      from pragma_foreign_key_list(?, 'main') as list group by id`,
    )
    .all(table)
    .filter(({ columns }) => !expected.has(`foreign key ${table}.${columns}`))
    .map(
      ({ columns, target, places, rules }) =>
        `FOREIGN KEY (${quoted(columns)}) REFERENCES ${quoteName(target)} (${quoted(places)})${rules}`,
    );
  return [...checks, ...keys];
}

export const quoted = (names: string) => names.split(', ').map(quoteName).join(', ');

/** Ids that the old table has used are not used again. */
export function carryLast(table: string, { expected, found }: Scope): readonly string[] {
  const isCounted = [expected, found].every((facts) =>
    facts.get(`table ${table}`)?.includes('autoincrement'),
  );
  if (!isCounted) return [];
  const name = quoteText(`${table}__rebuilt`);
  return [
    `DELETE FROM sqlite_sequence WHERE name = ${name};`,
    `INSERT INTO sqlite_sequence (name, seq) SELECT ${name}, seq FROM sqlite_sequence WHERE name = ${quoteText(table)};`,
  ];
}

/** Parts that `DROP TABLE` drops with the table, and that the runner creates again. */
export function carry(table: string, { expected, found }: Scope): readonly string[] {
  const ours = [...expected].filter(
    ([object, definition]) => object.startsWith('index ') && isOn(definition, table),
  );
  const known = ours.flatMap(([object, definition]) => [
    object.slice('index '.length),
    ...indexesLike(found, definition),
  ]);
  const others =
    known.length === 0 ? '' : ` AND name NOT IN (${[...new Set(known)].map(quoteText).join(', ')})`;
  return [
    'CREATE TEMP TABLE IF NOT EXISTS carried__objects (sql text NOT NULL);',
    'INSERT INTO carried__objects SELECT sql FROM sqlite_master',
    `  WHERE tbl_name = ${quoteText(table)} AND type IN ('index', 'trigger') AND sql IS NOT NULL${others};`,
  ];
}

/** `unique on posts (slug)` */
export function isOn(definition: string, table: string): boolean {
  return definition.replace(/^unique /, '').startsWith(`on ${table.toLowerCase()} `);
}

/** Indexes with this definition, whatever their names. */
export function indexesLike(found: SchemaParts, definition: string): readonly string[] {
  return [...found]
    .filter(([object, it]) => object.startsWith('index ') && it === definition)
    .map(([object]) => object.slice('index '.length));
}

/** Unique constraints of the table, which become indexes. */
export function ownUniques(table: string, { connection, expected }: Scope): readonly string[] {
  const lists = connection
    .prepare<{ columns: string; origin: string }>(
      `select group_concat(part.name, ', ') as columns, origin
      from pragma_index_list(?) as list, pragma_index_info(list.name) as part
      where origin in ('u', 'pk') group by list.name`,
    )
    .all(table);
  return [...new Set(lists.map(({ columns }) => columns))]
    .filter((columns) => !isUnique(table, columns, expected))
    .map((columns) => {
      const name = quoteName(`${table}_${columns.replaceAll(', ', '_')}_key`);
      return `CREATE UNIQUE INDEX ${name} ON ${quoteName(table)} (${quoted(columns)});`;
    });
}

/** Whether the schema has the same unique constraint. */
export function isUnique(table: string, columns: string, expected: SchemaParts): boolean {
  const index = `unique on ${table.toLowerCase()} (${columns.toLowerCase()})`;
  return [...expected.values()].includes(index) || columns === primaryKey(expected, table);
}

export function primaryKey(facts: SchemaParts, table: string): string {
  return listParts(facts, 'column', table)
    .flatMap(({ name, definition }) => {
      const [, place] = / primary key (\d+)/.exec(definition) ?? [];
      return place === undefined ? [] : [{ name, place: Number(place) }];
    })
    .toSorted((left, right) => left.place - right.place)
    .map(({ name }) => name)
    .join(', ');
}
