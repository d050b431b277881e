import { sql } from 'kysely';
import { encode } from '../../database/dialect.ts';
import type { ViewerInSql } from '../access.ts';
import { isEmbedded, type Path, refusePath, resolvePath, seesField } from '../path.ts';
import type { Complain } from '../problem.ts';
import type { Resource } from '../resource.ts';
import type { Selection } from '../selection.ts';
import { column, fromRelated, isToMany, type Source, type Sql, target } from '../sql/source.ts';
import { type Filter, operandsOf, shapeOf } from './filter.ts';
import type { Asked } from './parse-list.ts';

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

export interface OrderKey {
  readonly path: Path;
  readonly descending: boolean;
  readonly nullable: boolean;
}

const mostKeys = 5;

/** Reads `-created_at,author.name`, and ends at the id, which makes every order total. */
export function parseOrder(
  { resource, viewer }: Asked,
  text: string,
  complain: Complain,
): readonly OrderKey[] {
  const all = text.split(',');
  if (all.length > mostKeys) complain('too_many', `takes at most ${mostKeys} keys`);
  const words = all.slice(0, mostKeys).map(parseWord);
  const id = { name: 'id', descending: words[0]?.descending ?? false };
  const keys: OrderKey[] = [];
  for (const word of words.some(({ name }) => name === 'id') ? words : [...words, id]) {
    const path = resolvePath(resource, word.name, { viewer });
    if ('unknown' in path) {
      refusePath(path, 'unknown_field', complain);
    } else if (!isOrderable(path)) {
      complain('not_orderable', `\`${path.text}\` has no order`);
    } else if (keys.some((key) => key.path.text === path.text)) {
      complain('repeated', `\`${path.text}\` is repeated`);
    } else {
      const nullable = path.steps.length > 0 || path.field.nullable === true;
      keys.push({ path, descending: word.descending, nullable });
    }
  }
  // Behind the id, no key makes a difference.
  return keys.slice(0, keys.findIndex((key) => key.path.text === 'id') + 1);
}

/** The order of a list that does not ask for one, without the keys that would tell the viewer what they do not see. */
export function ownOrder({ resource, viewer }: Asked): string {
  const words = resource.orderBy
    .split(',')
    .filter((word) => seesField(resource, parseWord(word).name, viewer) === true);
  return words.join(',') || 'id';
}

/** `-name` is descending. */
function parseWord(text: string): { readonly name: string; readonly descending: boolean } {
  const word = text.trim();
  return word.startsWith('-')
    ? { name: word.slice(1), descending: true }
    : { name: word, descending: false };
}

function isOrderable({ field, steps }: Path): boolean {
  const isScalar = field.type !== 'json' && field.type !== 'bytes';
  return isScalar && !steps.some(({ relation }) => isToMany(relation));
}

/** The value that a row is ordered by; NULL when the viewer may not read the other side. */
export function keySql(
  rows: Source,
  { steps, name }: Pick<Path, 'steps' | 'name'>,
  viewer: ViewerInSql | null,
): Sql {
  const [step, ...others] = steps;
  if (step === undefined) return column(rows, name);
  const { relation } = step;
  const isShown = others.length === 0 && isEmbedded(relation, name);
  const crossing = { rows, relation, viewer, isEmbedded: isShown };
  const inner = keySql(target(crossing), { steps: others, name }, viewer);
  return sql`(select ${inner}${fromRelated(crossing)})`;
}
