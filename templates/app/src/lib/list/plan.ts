import { hash } from 'node:crypto';
import { encode } from '../../database/dialect.ts';
import {
  type Asked,
  isToMany,
  type Path,
  refusePath,
  resolvePath,
  type Resource,
  seesField,
} from '../resource.ts';
import { type Complain, type Fault, invalid, queryFault } from '../problem.ts';
import { parseSelection, requireBounded, type Selection, wholeRow } from '../selection.ts';
import { type OrderKey, readCursor } from './cursor.ts';
import { type Filter, operandsOf, shapeOf } from './filter.ts';
import {
  type Parameter,
  parseFilter,
  parseTerm,
  readQueryString,
  reservedParameters,
} from './query-string.ts';

/** A list request that was checked against its resource: everything in it exists and is legal. */
export interface ListPlan {
  readonly resource: Resource;
  readonly limit: number;
  readonly offset: number;
  readonly count: 'exact' | 'none';
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

const defaultLimit = 50;
const highestLimit = 1000;
const mostTerms = 50;

/** Checks a request against its resource; throws one problem that names everything that is wrong. */
export function parseList(asked: Asked, query: string): ListPlan {
  const { resource } = asked;
  const { parameters, texts, faults, about } = readRequest(query);
  const read = <Value>(name: string, parse: (text: string, complain: Complain) => Value) => {
    const text = texts.get(name);
    return text === undefined ? undefined : parse(text, about(name));
  };

  const limit = read('limit', wholeNumber(highestLimit)) ?? defaultLimit;
  const offset = read('offset', wholeNumber(Number.MAX_SAFE_INTEGER)) ?? 0;
  const count = read('count', oneOf(['exact', 'none'])) ?? 'exact';
  const deleted = resource.softDelete ? read('deleted', oneOf(['only', 'with'])) : undefined;
  const orderBy = texts.get('order_by') ?? ownOrder(asked);
  const order = parseOrder(asked, orderBy, about('order_by'));
  const selection =
    read('fields', (text, complain) => parseSelection(asked, text, complain)) ?? wholeRow(resource);

  requireBounded(resource, { selection, limit }, about('fields'));

  const reserved = reservedParameters(resource);
  const terms = parameters.filter(({ name }) => !reserved.includes(name));
  const filter = read('filter', (text, complain) => parseFilter(asked, text, complain));
  const filters = [
    ...terms.flatMap((term) => parseTerm(asked, term, about(term.name)) ?? []),
    ...(filter === undefined ? [] : [filter]),
  ];
  const own = Object.entries(resource.parameters ?? {}).flatMap(([name, { parse }]) => {
    const value = read(name, parse);
    return value === undefined ? [] : [[name, value] as const];
  });
  if (countTerms(filters) > mostTerms) {
    about('filter')('too_many', `at most ${mostTerms} comparisons`);
  }
  if (texts.has('cursor') && texts.has('offset')) {
    about('cursor')('conflicting', 'excludes `offset`');
  }
  if (faults.length > 0) throw invalid(faults);

  const keys = order.map(({ path, descending }) => `${path.text}:${descending}`);
  const filtered = [terms.map(textOf).toSorted(), texts.get('filter'), deleted, own];
  const fingerprint = nameOf([keys, ...filtered]);
  const position = read('cursor', (text, complain) =>
    readCursor(text, { list: fingerprint, order }, complain),
  );
  if (faults.length > 0) throw invalid(faults);

  return {
    resource,
    limit,
    offset,
    count,
    deleted: deleted ?? 'without',
    filters,
    parameters: Object.fromEntries(own),
    order,
    isOrdered: texts.has('order_by'),
    selection,
    position,
    fingerprint,
    query: parameters.filter(staysInLinks).map(textOf).join('&'),
  };
}

/** The texts of the parameters by name, and a place for what is wrong with each. */
function readRequest(query: string) {
  const { parameters, faults: malformed } = readQueryString(query);
  const faults: Fault[] = [...malformed];
  const about =
    (name: string): Complain =>
    (code, msg) =>
      faults.push(queryFault(name, code, msg));
  const texts = new Map(parameters.map(({ name, value }) => [name, value]));
  return { parameters, texts, faults, about };
}

/** `Infinity`, `1e2`, `0x10`, `+5` and the empty text are no whole numbers. Nothing is clamped. */
function wholeNumber(highest: number) {
  return (text: string, complain: Complain) => {
    const value = Number(text);
    if (/^(0|[1-9]\d{0,15})$/.test(text) && value <= highest) return value;
    complain('out_of_range', `must be a whole number from 0 to ${highest}`);
    return undefined;
  };
}

function oneOf<const Word extends string>(words: readonly Word[]) {
  return (text: string, complain: Complain) => {
    const word = words.find((it) => it === text);
    if (word === undefined) complain('invalid_value', `must be one of ${words.join(', ')}`);
    return word;
  };
}

function countTerms(filters: readonly Filter[]): number {
  let terms = 0;
  for (const filter of filters) {
    if ('any' in filter) terms += countTerms(filter.any);
    else if ('all' in filter) terms += countTerms(filter.all);
    else terms += 1;
  }
  return terms;
}

function nameOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 16);
}

function staysInLinks({ name }: Parameter): boolean {
  return name !== 'offset' && name !== 'cursor';
}

/** Encoded afresh: what a client sent goes into no header as it came. */
function textOf({ name, value }: Parameter): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}

const mostKeys = 5;

/** Reads `-created_at,author.name`, and ends at the id, which makes every order total. */
function parseOrder(asked: Asked, text: string, complain: Complain): readonly OrderKey[] {
  const all = text.split(',');
  if (all.length > mostKeys) complain('too_many', `takes at most ${mostKeys} keys`);
  const words = all.slice(0, mostKeys).map(parseWord);
  const id = { name: 'id', descending: words[0]?.descending ?? false };
  const keys: OrderKey[] = [];
  for (const word of words.some(({ name }) => name === 'id') ? words : [...words, id]) {
    const path = resolvePath(asked, word.name);
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
function ownOrder({ resource, viewer }: Asked): string {
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
  return isScalar && !steps.some(isToMany);
}
