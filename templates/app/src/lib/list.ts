import type { Reader } from '../database/client.ts';
import { isAdmin, type Viewer } from './access.ts';
import { listStatements } from './list/list-statement.ts';
import { type Page, pageOf } from './list/page.ts';
import { parseList } from './list/parse-list.ts';
import { rulesOf } from './list/plan.ts';
import { readPage } from './list/read-page.ts';
import { refusal } from './problem.ts';
import type { Resource } from './resource.ts';
import { statementMemory } from './statement-memory.ts';

export interface ListRequest {
  readonly viewer: Viewer | null;
  /** As it stands in the URL behind the `?`. */
  readonly query: string;
  /** What the header `X-Filter` says: the same as the parameter `filter`. */
  readonly filter?: string | undefined;
  /** What the header `X-Fields` says: the same as the parameter `fields`. */
  readonly fields?: string | undefined;
}

/** A page for code. */
export interface Listing<Row> {
  readonly items: readonly Row[];
  readonly total: number | null;
  readonly total_estimated?: true;
  readonly limit: number;
  /** `null` behind a cursor. */
  readonly offset: number | null;
  readonly next_cursor?: string;
}

export async function listRows<Row>(
  reader: Reader,
  resource: Resource,
  request: ListRequest,
): Promise<Listing<Row>> {
  const page = await listPage(reader, resource, request);
  return JSON.parse(page.body);
}

const remembered = statementMemory({ rulesOf, compile: listStatements });

/** Reads a page in one statement. */
export async function listPage(
  reader: Reader,
  resource: Resource,
  request: ListRequest,
): Promise<Page> {
  const { viewer } = request;
  if (resource.policy.list(viewer) === false) throw refusal(viewer);
  const parse = () => parseList(resource, request);
  const { plan, statement } = remembered(resource, { viewer, text: textOf(request), parse });
  if (plan.deleted !== 'without' && !isAdmin(viewer)) throw refusal(viewer);
  return pageOf(plan, await readPage(reader, statement));
}

/** No URL holds a line end, so no query can pass for one with headers. */
function textOf({ query, filter, fields }: ListRequest): string {
  if (filter === undefined && fields === undefined) return query;
  return `${query}\n${JSON.stringify([filter, fields])}`;
}
