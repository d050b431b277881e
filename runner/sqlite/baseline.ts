import type { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { type Baseline, type BaselineOptions, takeOver } from '../takeover.ts';
import { compareSchemas, type Difference, type SchemaParts } from '../checks.ts';
import { countedSql, makeSchema, readSchema } from './schema.ts';
import { databaseFile, openFile } from './file.ts';
import { indexesLike, isUnique } from './kept-objects.ts';
import { rebuild } from './take-table.ts';
import type { Engine } from '../runner.ts';
import {
  type ComparedSchemas,
  isIndex,
  missingModels,
  readCreatedName,
  listParts,
  placeIn,
  sharedTables,
  statementsIn,
  type Takeover,
  type TakeoverStep,
  tableSteps,
  unfilled,
  untotalled,
} from '../plan-takeover.ts';
import { type PairKey, pairSteps } from '../take-pairs.ts';
import { quoteName } from '../statements.ts';

/** See `takeOver`. */
export function baseline(engine: Engine, url: string, options: BaselineOptions): Promise<Baseline> {
  return takeOver({ ...engine, planTakeover }, url, options);
}

async function planTakeover(url: string, sql: string): Promise<Takeover> {
  const connection = openFile(databaseFile(url), { readOnly: true });
  try {
    return planFor(connection, sql);
  } finally {
    connection.close();
  }
}

function planFor(connection: DatabaseSync, sql: string): Takeover {
  const [expected, found] = [makeSchema(sql), readSchema(connection)];
  const tables = sharedTables(expected, found);
  const differences = compareSchemas(expected, found);
  const lacks = differences.filter(({ kind }) => kind !== 'extra');
  const made = statementsIn(sql);
  const remade = tables.filter((table) => lacks.some((it) => isOfTable(it, table)));
  const scope = { connection, expected, found, made };
  const rebuilt = remade.map((table) => rebuild(table, scope));
  const pairs = pairSteps({ ...scope, keysIn: pairKeys, named: quoteName });
  return {
    tables,
    own: differences
      .filter((it) => it.kind === 'extra' && !isReplaced(it, { expected, remade }))
      .map(({ object }) => object),
    obstacles: [
      ...missingModels(expected, found),
      ...rebuilt.flatMap(({ obstacles }) => obstacles),
      ...tables.flatMap((table) => unfilled(table, scope)),
      ...pairs.obstacles,
    ],
    steps: [
      ...rebuilt.map(({ step }) => step),
      ...tableSteps(made, scope),
      ...pairs.steps,
      ...indexSteps(lacks, { ...scope, remade }),
      ...totalSteps(lacks, scope),
    ],
  };
}

function pairKeys(facts: SchemaParts, table: string): readonly PairKey[] {
  const keys = listParts(facts, 'foreign key', table).map(({ name: column, definition }) => {
    const target = definition.slice(0, definition.indexOf(' ('));
    const [, place = 0] =
      / primary key (\d+)/.exec(facts.get(`column ${table}.${column}`) ?? '') ?? [];
    return { column, target, place: Number(place) };
  });
  return keys.toSorted(
    (left, right) => left.place - right.place || (left.column < right.column ? -1 : 1),
  );
}

interface Replacing extends Pick<ComparedSchemas, 'expected'> {
  readonly remade: readonly string[];
}

/** Whether an index is ours under another name, or replaces a unique constraint of a rebuilt table. */
function isReplaced({ object, found }: Difference, { expected, remade }: Replacing): boolean {
  const [, table = '', columns = ''] = /^unique constraint (.*?)\.(.*)$/.exec(object) ?? [];
  if (remade.includes(table)) return isUnique(table, columns, expected);
  return object.startsWith('index ') && [...expected.values()].includes(found ?? '');
}

function isOfTable({ object }: Difference, table: string): boolean {
  return (
    object === `table ${table}` ||
    object.startsWith(`check ${table}: `) ||
    ['column', 'foreign key'].some((kind) => object.startsWith(`${kind} ${table}.`))
  );
}

interface Scope extends ComparedSchemas {
  /** The statements of the first migration. */
  readonly made: readonly string[];
}

function indexSteps(
  lacks: readonly Difference[],
  { expected, found, made, remade }: Scope & { readonly remade: readonly string[] },
): readonly TakeoverStep[] {
  const lacked = new Map(lacks.map(({ object, kind }) => [object, kind]));
  return made.filter(isIndex).flatMap((statement): readonly TakeoverStep[] => {
    const [name, table] = [readCreatedName(statement), placeIn(statement)];
    const kind = lacked.get(`index ${name}`);
    const isThere = found.has(`table ${table}`) && !remade.includes(table);
    if (kind === undefined || !isThere) return [];
    const same = indexesLike(found, expected.get(`index ${name}`) ?? '');
    const former = kind === 'different' ? [...same, name] : same;
    const words = same.length === 0 ? 'is new' : `takes the place of ${same.join(', ')}`;
    return [
      {
        title: `${table}: the index ${name} ${words}.`,
        statements: [...former.map((it) => `DROP INDEX ${quoteName(it)};`), statement],
      },
    ];
  });
}

function totalSteps(
  lacks: readonly Difference[],
  { expected, found, made }: Scope,
): readonly TakeoverStep[] {
  const missing = new Set(lacks.map(({ object }) => object));
  const triggers = made.filter(
    (it) =>
      it.startsWith('CREATE TRIGGER ') &&
      missing.has(`trigger ${placeIn(it)}.${readCreatedName(it)}`),
  );
  const counted = untotalled(expected, found).map((table) => {
    const sql = listParts(expected, 'trigger', table)
      .map(({ definition }) => definition)
      .join('\n');
    return `INSERT OR REPLACE INTO row_counts (name, id, total, deleted)\n${countedSql({ name: table, sql })};`;
  });
  if (triggers.length + counted.length === 0) return [];
  return [
    {
      title: 'Triggers keep how many rows each table has: all are counted once.',
      statements: [...triggers, ...counted],
    },
  ];
}
