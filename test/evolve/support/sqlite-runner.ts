import type Sqlite from 'better-sqlite3';
import type { Migration } from '../../../src/evolve/migration.ts';

/**
 * Applies a migration as a project's runner does: foreign keys off, one transaction, the counts first, then the SQL,
 * then what the owner had made on the tables that were made anew, and a look at every reference and every view.
 */
export function applySqlite(
  connection: Sqlite.Database,
  { files }: Migration,
  way: 'up.sql' | 'down.sql' = 'up.sql',
): void {
  connection.pragma('foreign_keys = OFF');
  try {
    connection
      .transaction(() => {
        if (way === 'up.sql') refuseRows(connection, files['meta.json']);
        const working = views(connection).filter((view) => isWorking(connection, view));
        connection.exec(files[way] ?? 'this cannot be taken back');
        remakeCarried(connection);
        const broken = working.filter((view) => !isWorking(connection, view));
        if (broken.length > 0) throw new Error(`broken views: ${broken.join(', ')}`);
        const lost = connection.pragma('foreign_key_check');
        if (Array.isArray(lost) && lost.length > 0) {
          throw new Error(`lost references: ${JSON.stringify(lost)}`);
        }
      })
      .immediate();
  } finally {
    connection.pragma('foreign_keys = ON');
  }
}

export interface Meta {
  readonly hazards: readonly {
    readonly code: string;
    readonly target: string;
    readonly count?: string;
    readonly stops: boolean;
  }[];
}

function refuseRows(connection: Sqlite.Database, text: string): void {
  const { hazards }: Meta = JSON.parse(text);
  for (const { code, target, count, stops } of hazards) {
    if (count === undefined) continue;
    const rows = Number(connection.prepare(count).pluck().get());
    if (stops && rows > 0) throw new Error(`${code}:${target} concerns ${rows} rows`);
  }
}

function remakeCarried(connection: Sqlite.Database): void {
  const find = `SELECT 1 FROM sqlite_temp_master WHERE name = 'carried__objects'`;
  if (connection.prepare(find).get() === undefined) return;
  const carried = connection.prepare<[], string>('SELECT sql FROM carried__objects').pluck().all();
  for (const sql of carried) connection.exec(sql);
  connection.exec('DROP TABLE temp.carried__objects');
}

function views(connection: Sqlite.Database): readonly string[] {
  return connection
    .prepare<[], string>(`SELECT name FROM sqlite_master WHERE type = 'view'`)
    .pluck()
    .all();
}

function isWorking(connection: Sqlite.Database, view: string): boolean {
  try {
    connection.prepare(`SELECT * FROM "${view}"`);
    return true;
  } catch {
    return false;
  }
}
