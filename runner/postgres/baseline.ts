import type { Client } from 'pg';
import { withClient } from './client.ts';
import { readBothSchemas } from './schema.ts';
import { recreateKeys, listObstacles, recreateViews } from './recreate.ts';
import { changeColumns } from './take-columns.ts';
import { changeTypes } from './take-types.ts';
import { type Baseline, type BaselineOptions, takeOver } from '../takeover.ts';
import {
  compareSchemas,
  describeDifference,
  type Difference,
  isAsUnique,
  type SchemaParts,
} from '../checks.ts';
import type { Engine } from '../runner.ts';
import {
  type ComparedSchemas,
  missingModels,
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
import { quoteName, quoteText } from '../statements.ts';

interface Scope extends ComparedSchemas {
  /** The statements of the first migration. */
  readonly made: readonly string[];
}

/** See `takeOver`. */
export function baseline(engine: Engine, url: string, options: BaselineOptions): Promise<Baseline> {
  return takeOver({ ...engine, planTakeover }, url, options);
}

function planTakeover(url: string, sql: string): Promise<Takeover> {
  return withClient(url, async (client) =>
    planIn(client, { ...(await readBothSchemas(client, sql)), made: statementsIn(sql) }),
  );
}

async function planIn(client: Client, scope: Scope): Promise<Takeover> {
  const { expected, found, made } = scope;
  const tables = sharedTables(expected, found);
  const types = await changeTypes(client, expected);
  const changed = await changeColumns(client, tables, scope);
  const keys = recreateKeys(found, changed);
  const differences = compareSchemas(expected, found);
  const retyped = changed.flatMap((it) => (it.retyped.length > 0 ? [it.table] : []));
  const views = await recreateViews(client, retyped);
  const pairs = pairSteps({ ...scope, keysIn: pairKeys, named: quoteName });
  const objects = objectSteps(differences, scope);
  return {
    tables,
    own: objects.own,
    obstacles: [
      ...missingModels(expected, found),
      ...types.obstacles,
      ...changed.flatMap(({ obstacles }) => obstacles),
      ...tables.flatMap((table) => unfilled(table, scope)),
      ...views.obstacles,
      ...listObstacles(found, changed),
      ...pairs.obstacles,
      ...differences.filter(isInTheWay).map(describeDifference),
    ],
    steps: [
      ...views.before,
      ...keys.before,
      ...types.steps,
      ...changed.flatMap(({ steps }) => steps),
      ...tableSteps(made, scope),
      ...pairs.steps,
      ...objects.steps,
      ...keys.after,
      ...views.after,
    ],
  };
}

/** What becomes of constraints, indexes and triggers, and which of them are the owner's and stay. */
function objectSteps(differences: readonly Difference[], scope: Scope) {
  const rules = constraintSteps(differences, scope);
  const indexes = indexSteps(differences, scope);
  const left = [...rules.own.filter((it) => !indexes.replaced.includes(it)), ...indexes.own];
  return {
    own: differences.filter((it) => isLeft(it, left)).map(({ object }) => object),
    steps: [
      ...rules.made,
      ...renameSteps([...rules.renamed, ...indexes.renamed]),
      ...indexes.made,
      ...totalSteps(differences, scope),
    ],
  };
}

function pairKeys(known: SchemaParts, table: string): readonly PairKey[] {
  const key = known.get(`primary key of ${table}`) ?? '';
  const keys = listParts(known, 'constraint', table).flatMap(({ definition }) => {
    const [, column, target] =
      /^FOREIGN KEY \(([^,)]+)\) REFERENCES ([^(]+)\(/.exec(definition) ?? [];
    if (column === undefined || target === undefined) return [];
    return [{ column: column.replaceAll('"', ''), target, place: key.indexOf(column) }];
  });
  return keys.toSorted(
    (left, right) => left.place - right.place || (left.column < right.column ? -1 : 1),
  );
}

/** Whether a constraint or index is one of those that remain. */
function isLeft(difference: Difference, left: readonly Difference[]): boolean {
  const hasName = isRule(difference) || difference.object.startsWith('index ');
  return difference.kind === 'extra' && (!hasName || left.includes(difference));
}

/** Whether no statement of the takeover can fix a difference. */
function isInTheWay({ kind, object }: Difference): boolean {
  return kind === 'different' && object.startsWith('table ');
}

/** Renames constraints that exist under another name, and recreates keys that behave differently. */
function constraintSteps(differences: readonly Difference[], { found }: Scope) {
  const renamed: Renamed[] = [];
  const made: TakeoverStep[] = [];
  const spare = new Set(differences.filter((it) => it.kind === 'extra' && isRule(it)));
  for (const wanted of differences.filter((it) => it.kind !== 'extra' && isRule(it))) {
    const [table, name] = splitPlace(wanted.object);
    if (!found.has(`table ${table}`)) continue;
    const { expected = '' } = wanted;
    const ofTable = [...spare].filter(({ object }) => splitPlace(object)[0] === table);
    const same = ofTable.find((it) => it.found === expected);
    const old = wanted.kind === 'different' ? wanted : (same ?? keyLike(ofTable, expected));
    if (old !== undefined) spare.delete(old);
    const [, former] = splitPlace(old?.object ?? '');
    const alter = `ALTER TABLE ${quoteName(table)}`;
    if (old !== undefined && old === same) {
      const statement = `${alter} RENAME CONSTRAINT ${quoteName(former)} TO ${quoteName(name)};`;
      renamed.push({ former, name, statement });
    } else {
      const drop = old === undefined ? [] : [`${alter} DROP CONSTRAINT ${quoteName(former)};`];
      made.push({
        title: `${table} keeps to ${name}${old === undefined ? '' : `, in place of ${former}`}: ${expected}.`,
        statements: [...drop, `${alter} ADD CONSTRAINT ${quoteName(name)} ${expected};`],
      });
    }
  }
  return { renamed, made, own: [...spare] };
}

interface Renamed {
  readonly former: string;
  readonly name: string;
  readonly statement: string;
}

function renameSteps(renamed: readonly Renamed[]): readonly TakeoverStep[] {
  if (renamed.length === 0) return [];
  const names = renamed.map(({ former, name }) => `${former} is ${name}`);
  return [
    {
      title: `Other names: ${names.join(', ')}.`,
      statements: renamed.map(({ statement }) => statement),
    },
  ];
}

/** A key of the same columns to the same table, whatever its rules for deletes and updates. */
function keyLike(differences: readonly Difference[], definition: string) {
  const key = /^FOREIGN KEY \(.*?\) REFERENCES [^(]+\(.*?\)/.exec(definition)?.[0];
  return key === undefined ? undefined : differences.find((it) => it.found?.startsWith(key));
}

const isRule = ({ object }: Difference) => object.startsWith('constraint ');

/** `constraint posts.posts_title_check` → the table and the name. */
function splitPlace(object: string): readonly [table: string, name: string] {
  const [, table = '', name = ''] = /^\w+ (.*?)\.(.*)$/.exec(object) ?? [];
  return [table, name];
}

/** Indexes of existing tables. */
function indexSteps(differences: readonly Difference[], { found }: Scope) {
  const renamed: Renamed[] = [];
  const made: TakeoverStep[] = [];
  const replaced: Difference[] = [];
  const ofIndexes = differences.filter(({ object }) => object.startsWith('index '));
  const spare = new Set(ofIndexes.filter(({ kind }) => kind === 'extra'));
  for (const { kind, object, expected = '' } of ofIndexes.filter((it) => it.kind !== 'extra')) {
    const table = placeIn(expected);
    if (!found.has(`table ${table}`)) continue;
    const name = object.slice('index '.length);
    const same = [...spare].find((it) => nameless(it.found) === nameless(expected));
    const former = same?.object.slice('index '.length) ?? '';
    const rule = differences.find((it) => it.object === `constraint ${table}.${former}`);
    if (same !== undefined) spare.delete(same);
    if (rule !== undefined) replaced.push(rule);
    if (rule !== undefined && !isAsUnique(rule.found)) {
      made.push({
        title: `${table}: the index ${name} takes the place of the constraint ${former}.`,
        statements: [
          `${expected};`,
          `ALTER TABLE ${quoteName(table)} DROP CONSTRAINT ${quoteName(former)};`,
        ],
      });
    } else if (same !== undefined && kind === 'missing') {
      const statement = `ALTER INDEX ${quoteName(former)} RENAME TO ${quoteName(name)};`;
      renamed.push({ former, name, statement });
    } else {
      const drop = kind === 'different' ? [`DROP INDEX ${quoteName(name)};`] : [];
      made.push({
        title: `${table} gets the index ${name}; nobody writes to it meanwhile.`,
        statements: [...drop, `${expected};`],
      });
    }
  }
  return { renamed, made, own: [...spare], replaced };
}

/** An index without its name: `CREATE UNIQUE INDEX … ON posts USING btree (slug)`. */
function nameless(definition = ''): string {
  return definition.replace(/ INDEX ("[^"]+"|\S+) ON /, ' INDEX ON ');
}

function totalSteps(
  differences: readonly Difference[],
  { expected, found, made }: Scope,
): readonly TakeoverStep[] {
  const ofKind = (start: string) =>
    differences.filter(({ kind, object }) => kind !== 'extra' && object.startsWith(start));
  const functions = ofKind('function ');
  const setUp = made.filter((it) => /^(?:CREATE FUNCTION|DO) /.test(it));
  const triggers = ofKind('trigger ').map((it) => `${it.expected};`);
  const counted = untotalled(expected, found).map(
    (table) => `INSERT INTO row_counts (name) VALUES (${quoteText(table)});`,
  );
  const statements = [...(functions.length > 0 ? setUp : []), ...triggers, ...counted];
  if (statements.length === 0) return [];
  return [
    { title: 'Triggers keep how many rows each table has: all are counted once.', statements },
  ];
}
