import type { Rule } from '../access.ts';
import type { Resource } from '../resource.ts';
import { relationRules, selectionRules } from '../rules.ts';
import type { Selection } from '../selection.ts';
import type { Filter } from './filter.ts';
import type { OrderKey } from './order.ts';

/** A list request that was checked against its resource: everything in it exists and is legal. */
export interface ListPlan {
  readonly resource: Resource;
  readonly limit: number;
  readonly offset: number;
  readonly count: 'exact' | 'estimated' | 'none';
  readonly deleted: 'without' | 'only' | 'with';
  readonly filters: readonly Filter[];
  readonly order: readonly OrderKey[];
  readonly selection: Selection;
  /** Values of the order keys behind which the page begins. */
  readonly position: readonly unknown[] | undefined;
  /** Names order and filter, so that a cursor of another list is refused. */
  readonly fingerprint: string;
  /** The query without `offset` and `cursor`, for links to other pages. */
  readonly query: string;
}

/** The rules that decide what the plan's statement may read. */
export function rulesOf({ resource, filters, order, selection }: ListPlan): readonly Rule[] {
  const paths = [...order.map(({ path }) => path), ...filters.flatMap(pathsIn)];
  const steps = paths.flatMap((path) => path.steps);
  const rules = [
    resource.policy.list,
    ...steps.flatMap(({ relation }) => relationRules(relation)),
    ...selectionRules(resource, selection),
  ];
  return [...new Set(rules)];
}

function pathsIn(filter: Filter): readonly OrderKey['path'][] {
  if ('any' in filter) return filter.any.flatMap(pathsIn);
  return 'all' in filter ? filter.all.flatMap(pathsIn) : [filter.path];
}
