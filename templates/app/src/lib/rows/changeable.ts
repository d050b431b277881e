import { type Database, readerOf } from '../../database/client.ts';
import type { Rule, Viewer } from '../access.ts';
import { forUpdate } from '../dialect.ts';
import { etagOf, namesEtag } from '../etag.ts';
import type { Id } from '../ids.ts';
import { notFound, preconditionFailed, refusal } from '../problem.ts';
import type { Resource } from '../resource.ts';
import { admitted, from, readable, source } from '../sql/conditions.ts';
import { execute } from '../sql/execute.ts';
import { joined, raw, sql, where } from '../sql/sql.ts';
import { hasId } from './columns.ts';
import { rowGetter } from './read-row.ts';

interface Change {
  readonly viewer: Viewer | null;
  readonly id: Id;
  readonly rule: Rule;
  readonly selection?: string | undefined;
  readonly ifMatch?: string | undefined;
}

/**
 * Locks the row and throws when it may not be changed: 404 when the viewer may not see it, 403 when he may but the rule
 * does not admit him, 412 when it is not what he last read.
 */
export async function requireChangeable(
  database: Database,
  resource: Resource,
  { viewer, id, rule, selection, ifMatch }: Change,
): Promise<void> {
  const condition = rule(viewer);
  if (viewer === null && condition === false) throw refusal(viewer);
  const rows = source(resource);
  const allowed = joined([raw('1 = 1'), ...admitted(rows, condition)], ' and ');
  const seen = where([hasId(rows, id), ...readable(rows, viewer)]);
  const [found] = await execute(
    database,
    sql`select ${allowed} as allowed from ${from(rows)}${seen}${forUpdate}`,
  );
  if (found === undefined) throw notFound();
  if (Number(found['allowed']) !== 1) throw refusal(viewer);
  if (ifMatch === undefined) return;
  const row = await rowGetter(resource, { viewer, selection })(readerOf(database), id);
  if (!namesEtag(ifMatch, etagOf(row))) throw preconditionFailed();
}
