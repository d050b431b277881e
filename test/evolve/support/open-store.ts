import { freshDatabase } from '../../support/postgres.ts';
import { openPostgres } from './open-postgres.ts';
import { openSqlite } from './open-sqlite.ts';
import type { Store } from './store.ts';
import type { Engine } from '../../../src/types/field-type.ts';

let postgres: Promise<string> | undefined;

/** Opens an empty store; all of PostgreSQL's are in one database, each in a schema of its own. */
export async function openStore(engine: Engine): Promise<Store> {
  if (engine === 'sqlite') return openSqlite();
  postgres ??= freshDatabase();
  return openPostgres(await postgres);
}
