import type { Migration } from '../../../src/evolve/migration.ts';
import type { DatabaseSync } from '../../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { valuesOf } from '../../support/sqlite-values.ts';

/**
 * Applies a migration as a project's runner does: foreign keys off, one transaction, the counts first, then the SQL,
 * then what the owner had made on the rebuilt tables, and a check of every reference and every view.
 */
export function applySqlite(
  connection: DatabaseSync,
  { files }: Migration,
  way: 'up.sql' | 'down.sql' = 'up.sql',
): void {
  connection.exec('pragma foreign_keys = OFF; begin immediate');
  try {
    refuseRows(connection, hazardsOf(files['meta.json'], way));
    const working = views(connection).filter((view) => isWorking(connection, view));
    connection.exec(files[way] ?? 'this cannot be taken back');
    remakeCarried(connection);
    const broken = working.filter((view) => !isWorking(connection, view));
    if (broken.length > 0) throw new Error(`broken views: ${broken.join(', ')}`);
    const lost = connection.prepare('pragma foreign_key_check').all();
    if (lost.length > 0) throw new Error(`lost references: ${JSON.stringify(lost)}`);
    connection.exec('commit');
  } finally {
    if (connection.isTransaction) connection.exec('rollback');
    connection.exec('pragma foreign_keys = ON');
  }
}

export interface Check {
  readonly code: string;
  readonly target: string;
  readonly count?: string;
  readonly stops: boolean;
}

interface Meta {
  readonly hazards: readonly Check[];
  readonly down?: Meta;
}

export function hazardsOf(text: string, way: 'up.sql' | 'down.sql'): readonly Check[] {
  const meta: Meta = JSON.parse(text);
  return way === 'up.sql' ? meta.hazards : (meta.down?.hazards ?? []);
}

function refuseRows(connection: DatabaseSync, checks: readonly Check[]): void {
  for (const { code, target, count, stops } of checks) {
    if (count === undefined) continue;
    const rows = Number(valuesOf(connection, count)[0]?.[0]);
    if (stops && rows > 0) throw new Error(`${code}:${target} concerns ${rows} rows`);
  }
}

function remakeCarried(connection: DatabaseSync): void {
  const find = `SELECT 1 FROM sqlite_temp_master WHERE name = 'carried__objects'`;
  if (connection.prepare(find).get() === undefined) return;
  const carried = valuesOf(connection, 'SELECT sql FROM carried__objects');
  for (const [sql] of carried) connection.exec(String(sql));
  connection.exec('DROP TABLE temp.carried__objects');
}

function views(connection: DatabaseSync): readonly string[] {
  return valuesOf(connection, `SELECT name FROM sqlite_master WHERE type = 'view'`).map(String);
}

function isWorking(connection: DatabaseSync, view: string): boolean {
  try {
    connection.prepare(`SELECT * FROM "${view}"`);
    return true;
  } catch {
    return false;
  }
}
