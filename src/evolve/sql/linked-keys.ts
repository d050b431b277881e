import { identifier } from '../../model/identifier.ts';
import type { Sql } from '../../types/field-type.ts';
import type { TableChanges } from '../table-changes.ts';
import { linkedKeys } from '../keys-as-links.ts';
import type { ForeignKey, Table } from '../tables/table.ts';
import { identifierSql, identifiersSql } from './sql-text.ts';
import type { Block } from './steps.ts';

/**
 * Keys become links by way of a temporary table, because their column is dropped before the table of links is made.
 * `keep` runs when tables have their new names but columns do not.
 */
export function linkingBlocks(tableChanges: TableChanges) {
  const steps = linkedKeys(tableChanges.apps).flatMap(({ join, field }) => {
    const links = tableChanges.added.find(({ id }) => id === join.id);
    const [from, to] = links?.foreignKeys.map((key) => keptIds(key, tableChanges)) ?? [];
    return links && from && to ? [linkingBlocksOf(links, from, to, field.column)] : [];
  });
  return { keep: steps.map(({ keep }) => keep), link: steps.map(({ link }) => link) };
}

/** `column`: the key that is dropped. */
function linkingBlocksOf(links: Table, from: KeptIds, to: KeptIds, column: string) {
  const keys = identifierSql(identifier([links.name], 'keys'));
  const key = identifierSql(column);
  const keep: Block = {
    comments: [`The keys that become rows of ${links.name}.`],
    statements: [
      `CREATE TEMP TABLE ${keys} AS`,
      `  SELECT ${from.become(identifierSql(from.column))} AS row__id, ${to.become(key)} AS key__id`,
      `  FROM ${identifierSql(from.table)} WHERE ${key} IS NOT NULL;`,
    ],
  };
  const link: Block = {
    statements: [
      `INSERT INTO ${identifierSql(links.name)} (${identifiersSql(links.primaryKey)})`,
      `  SELECT row__id, key__id FROM ${keys};`,
      `DROP TABLE ${keys};`,
    ],
  };
  return { keep, link };
}

interface KeptIds {
  readonly table: string;
  /** The former column. */
  readonly column: string;
  /** Turns an id, or a key that holds it, into the new one. */
  readonly become: Sql;
}

function keptIds({ target }: ForeignKey, { kept }: TableChanges): KeptIds | undefined {
  const table = kept.find(({ after }) => after.id === target);
  const source = table?.columns.find(({ after }) => after.field.role === 'id');
  if (table === undefined || source?.before === undefined) return undefined;
  return { table: table.after.name, column: source.before.name, become: source.value };
}
