import { identifier } from '../../model/identifier.ts';
import { identifierSql } from '../sql/sql-text.ts';

/** Answers, during a migration, what an id of the table has become. */
export function newIdFunction(table: string): string {
  return `pg_temp.${identifierSql(identifier([table], '_new_id'))}`;
}
