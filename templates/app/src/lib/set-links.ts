import { sql } from 'kysely';
import type { Database } from '../database/client.ts';
import { among, encodeList } from '../database/dialect.ts';
import { keptStatements } from '../database/slot.ts';
import { inSql, system, type Viewer } from './access.ts';
import { distinctIds } from './references.ts';
import { fieldOf, type Id, type Links } from './resource.ts';
import { column, from, idSlot, operandSlot, readable, source, where } from './sql.ts';

/**
 * Links a row to these ids and no others; links that are there already are left alone, and so are those to rows that the
 * viewer does not see. Without ids, nothing changes.
 */
export async function setLinks(
  database: Database,
  links: Links,
  { id, ids, viewer = system }: LinkChange,
): Promise<void> {
  if (ids === undefined) return;
  const there = source(links.to());
  const list = encodeList(distinctIds(links, ids), fieldOf(there.resource, 'id'));
  const table = sql.table(links.table);
  const [mine, other] = [sql.ref(links.column), sql.ref(links.targetColumn)];
  const theirs = column(there, 'id');
  const unlinked = () => {
    const seen = sql`select ${theirs} from ${from(there)}${where(readable(there, inSql(viewer)))}`;
    const unnamed = sql`${mine} = ${idSlot} and not ${among(other, operandSlot(0))}`;
    return sql<object>`delete from ${table} where ${unnamed} and ${other} in (${seen})`;
  };
  const key = `${links.table} ${links.column} ${viewer?.role}`;
  await unlink(database, key, unlinked, { viewer, id, operands: [list] });
  const named = sql`select ${id}, ${theirs} from ${from(there)} where ${among(theirs, sql.val(list))}`;
  const insert = sql`insert into ${table} (${mine}, ${other}) ${named} on conflict do nothing`;
  await insert.execute(database);
}

interface LinkChange {
  readonly id: Id;
  readonly ids: readonly Id[] | undefined;
  /** Who makes the change. Without a viewer, all links to rows that are not in `ids` are removed. */
  readonly viewer?: Viewer | null;
}

const unlink = keptStatements<object>();
