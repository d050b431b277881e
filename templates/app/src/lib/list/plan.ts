import { encode } from '../../database/dialect.ts';
import type { Resource } from '../resource.ts';
import type { Selection } from '../selection.ts';
import { type Filter, operandsOf, shapeOf } from './filter.ts';
import type { OrderKey } from './order.ts';

/** A list request that was checked against its resource: everything in it exists and is legal. */
export interface ListPlan {
  readonly resource: Resource;
  readonly limit: number;
  readonly offset: number;
  readonly count: 'exact' | 'estimated' | 'none';
  readonly deleted: 'without' | 'only' | 'with';
  readonly filters: readonly Filter[];
  /** The values of the list's own parameters that the request has. */
  readonly parameters: { readonly [name: string]: string };
  readonly order: readonly OrderKey[];
  /** Whether the client has said an order. */
  readonly isOrdered: boolean;
  readonly selection: Selection;
  /** Values of the order keys behind which the page begins. */
  readonly position: readonly unknown[] | undefined;
  /** Names order and filter, so that a cursor of another list is refused. */
  readonly fingerprint: string;
  /** The query without `offset` and `cursor`, for links to other pages. */
  readonly query: string;
}

/** What the plan's statement is bound to. */
export function operandsIn({ filters, order, position = [] }: ListPlan): readonly unknown[] {
  const values = position.flatMap((value, at) => {
    const key = order[at];
    return value === null || key === undefined ? [] : [encode(value, key.path.field)];
  });
  return [...filters.flatMap(operandsOf), ...values];
}

/** Plans of one shape share a statement: they differ in what it is bound to. */
export function shapeOfPlan(plan: ListPlan): string {
  const { limit, offset, count, deleted, filters, order, selection, position } = plan;
  const own = [Object.keys(plan.parameters), plan.isOrdered];
  const keys = order.map(({ path, descending }) => [path.text, descending]);
  const behind = position?.map((value) => value === null);
  const filtered = filters.map(shapeOf);
  return JSON.stringify([
    limit,
    offset > 0,
    count,
    deleted,
    filtered,
    keys,
    selection,
    behind,
    own,
  ]);
}
