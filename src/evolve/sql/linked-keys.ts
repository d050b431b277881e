import { databaseName } from '../../naming/database-name.ts';
import type { TableChanges } from '../table-changes.ts';
import { listLinkedKeys } from '../keys-as-links.ts';
import { identifierSql, identifiersSql } from './sql-text.ts';
import type { Block } from './steps.ts';

/**
 * Keys become links by way of a temporary table, because their column is dropped before the table of links is made.
 * `keep` runs when tables have their new names but columns do not.
 */
export function linkingBlocks({ apps, added, kept }: TableChanges) {
  const keep: Block[] = [];
  const link: Block[] = [];
  for (const { join, field } of listLinkedKeys(apps)) {
    const links = added.find(({ id }) => id === join.id);
    const [from, to] = (links?.foreignKeys ?? []).map(({ target }) => {
      const table = kept.find(({ after }) => after.id === target);
      const id = table?.columns.find(({ after }) => after.field.role === 'id');
      const become = id?.before && id.value;
      return { table: table?.after.name ?? '', id: id?.before?.name ?? '', become };
    });
    if (!links || !from?.become || !to?.become) continue;
    const keys = identifierSql(databaseName([links.name], 'keys'));
    const key = identifierSql(field.column);
    keep.push({
      comments: [`The keys that become rows of ${links.name}.`],
      statements: [
        `CREATE TEMP TABLE ${keys} AS`,
        `  SELECT ${from.become(identifierSql(from.id))} AS row__id, ${to.become(key)} AS key__id`,
        `  FROM ${identifierSql(from.table)} WHERE ${key} IS NOT NULL;`,
      ],
    });
    link.push({
      statements: [
        `INSERT INTO ${identifierSql(links.name)} (${identifiersSql(links.primaryKey)})`,
        `  SELECT row__id, key__id FROM ${keys};`,
        `DROP TABLE ${keys};`,
      ],
    });
  }
  return { keep, link };
}
