import type { Reader } from '../database/client.ts';
import { isAdmin, type Rule, type Viewer } from './access.ts';
import { boundedCache, type Cache } from './bounded-cache.ts';
import { listStatement } from './list/list-statement.ts';
import { type Page, pageOf } from './list/page.ts';
import { parseList } from './list/parse-list.ts';
import { type ListPlan, rulesOf } from './list/plan.ts';
import { refusal } from './problem.ts';
import type { Resource } from './resource.ts';
import type { Statement } from './sql/statement.ts';

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

/** Reads a page in one statement. What a request asks for is worked out once and remembered by its text. */
export async function listPage(
  reader: Reader,
  resource: Resource,
  request: ListRequest,
): Promise<Page> {
  const { viewer } = request;
  if (resource.policy.list(viewer) === false) throw refusal(viewer);
  const planned = plannedFor(resource, request);
  if (planned.plan.deleted !== 'without' && !isAdmin(viewer)) throw refusal(viewer);
  const { text, parameters } = statementFor(planned, viewer);
  const [row = {}] = await reader.read(text, parameters);
  return pageOf(planned.plan, row);
}

interface Planned {
  readonly plan: ListPlan;
  readonly rules: readonly Rule[];
  /** By what the rules say to a viewer. */
  readonly statements: Cache<Statement>;
}

const plannedLists = new WeakMap<Resource, Cache<Planned>>();
const longestKey = 2000;

function plannedFor(resource: Resource, request: ListRequest): Planned {
  const plans = plannedLists.get(resource) ?? boundedCache<Planned>(500);
  plannedLists.set(resource, plans);
  const key = keyOf(request);
  const known = plans.get(key);
  if (known !== undefined) return known;
  const plan = parseList(resource, request);
  const planned = { plan, rules: rulesOf(plan), statements: boundedCache<Statement>(20) };
  if (key.length <= longestKey) plans.set(key, planned);
  return planned;
}

/** No URL holds a line end, so no query can pass for one with headers. */
function keyOf({ query, filter, fields }: ListRequest): string {
  if (filter === undefined && fields === undefined) return query;
  return `${query}\n${JSON.stringify([filter, fields])}`;
}

function statementFor({ plan, rules, statements }: Planned, viewer: Viewer | null): Statement {
  const key = JSON.stringify(rules.map((rule) => rule(viewer)));
  const known = statements.get(key);
  if (known !== undefined) return known;
  const statement = listStatement(plan, viewer);
  statements.set(key, statement);
  return statement;
}
