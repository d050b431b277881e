import type { Rule } from '../access.ts';
import type { Relation, Resource } from '../resource.ts';
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
  const rules = new Set([resource.policy.list]);
  order.forEach(({ path }) => path.steps.forEach(({ relation }) => cross(relation)));
  filters.forEach(visitFilter);
  visitSelection(resource, selection);
  return [...rules];

  function cross(relation: Relation): void {
    rules.add(relation.to().policy.read);
    if (relation.kind === 'links' && relation.through) rules.add(relation.through().policy.read);
  }

  function visitFilter(filter: Filter): void {
    if ('any' in filter) filter.any.forEach(visitFilter);
    else if ('all' in filter) filter.all.forEach(visitFilter);
    else filter.path.steps.forEach(({ relation }) => cross(relation));
  }

  function visitSelection({ relations }: Resource, { links, embedded }: Selection): void {
    for (const name of [...links, ...embedded.map((it) => it.relation)]) {
      if (relations[name]) cross(relations[name]);
    }
    for (const { relation, selection: inner } of embedded) {
      if (relations[relation]) visitSelection(relations[relation].to(), inner);
    }
  }
}
