import { hash } from 'node:crypto';
import {
  isToMany,
  type Path,
  type PathRoot,
  refusePath,
  resolvePath,
  type Resource,
  seesField,
} from '../resource.ts';
import { type Complain, invalid } from '../problem.ts';
import { parseSelection, requireBounded, type Selection, wholeRow } from '../selection.ts';
import { type OrderKey, readCursor } from './cursor.ts';
import { type Filter, operandsOf, operatorsOf, shapeOf } from './filter.ts';
import {
  counts,
  defaultLimit,
  deletedRows,
  highestLimit,
  maxOrderKeys,
  reservedParameters,
} from './parameters.ts';
import { type Parameter, parseFilter, parseTerm, readQueryString } from './query-string.ts';

/** A list request after it was checked: everything in it exists and is allowed. */
export interface ListPlan {
  readonly resource: Resource;
  readonly limit: number;
  readonly offset: number;
  readonly count: (typeof counts)[number];
  readonly deleted: 'without' | 'only' | 'with';
  readonly filters: readonly Filter[];
  /** The values of the list's own parameters, as far as the request has them. */
  readonly parameters: { readonly [name: string]: string };
  readonly order: readonly OrderKey[];
  /** Whether the client asked for an order. */
  readonly isOrdered: boolean;
  readonly selection: Selection;
  /** The order keys after which the page begins, as they are stored in columns. */
  readonly position?: readonly unknown[] | undefined;
  /** Plans with the same shape share a statement. */
  readonly shape: string;
  /** The values that the statement is run with. */
  readonly operands: readonly unknown[];
  /** Identifies order and filter, so that the cursor of another list is refused. */
  readonly fingerprint: string;
  /** The query without `offset` and `cursor`, for links to other pages. */
  readonly query: string;
}

const maxTerms = 50;

/** Checks a request against its resource; throws one problem that names everything that is wrong. */
export function parseList(root: PathRoot, text: string): ListPlan {
  const { resource, viewer } = root;
  const { parameters, texts, faults, about, read } = readQueryString(text);
  const limit = read('limit', wholeNumber(highestLimit)) ?? defaultLimit;
  const offset = read('offset', wholeNumber(Number.MAX_SAFE_INTEGER)) ?? 0;
  const count = read('count', oneOf(counts)) ?? 'exact';
  const deleted = resource.softDelete ? read('deleted', oneOf(deletedRows)) : undefined;
  const order = parseOrder(root, texts.get('order_by') ?? ownOrder(root), about('order_by'));
  const fields = read('fields', (paths, complain) => parseSelection(root, paths, complain));
  const selection = fields ?? wholeRow(resource);
  requireBounded(resource, { selection, limit }, about('fields'));

  const reserved = reservedParameters(resource);
  const terms = parameters.filter(({ name }) => !reserved.includes(name));
  const compared = terms.flatMap((term) => parseTerm(root, term, about(term.name)) ?? []);
  const filter = read('filter', (json, complain) => parseFilter(root, json, complain));
  const filters = filter === undefined ? compared : [...compared, filter];
  const own = Object.entries(resource.parameters ?? {}).flatMap(([name, { parse }]) => {
    const value = read(name, parse);
    return value === undefined ? [] : [[name, value] as const];
  });
  if (countTerms(filters) > maxTerms)
    about('filter')('too_many', `at most ${maxTerms} comparisons`);
  if (texts.has('cursor') && texts.has('offset'))
    about('cursor')('conflicting', 'excludes `offset`');
  if (faults.length > 0) throw invalid(faults);

  const keys = order.map(({ path, descending }) => `${path.text}:${descending}`);
  const identity = [keys, terms.map(textOf).toSorted(), texts.get('filter'), deleted, own];
  const fingerprint = hash('sha256', JSON.stringify(identity), 'base64url').slice(0, 16);
  const position = read('cursor', (cursor, complain) =>
    readCursor(cursor, { list: fingerprint, order }, complain),
  );
  if (faults.length > 0) throw invalid(faults);

  const bound = position?.filter((value) => value !== null) ?? [];
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
    shape: JSON.stringify([
      viewer?.role,
      shaping.map((name) => texts.get(name)),
      limit,
      offset > 0,
      filters.map(shapeOf),
      own.map(([name]) => name),
      position?.map((value) => value === null),
    ]),
    operands: [...filters.flatMap(operandsOf), ...bound],
    fingerprint,
    query: parameters
      .filter(({ name }) => name !== 'offset' && name !== 'cursor')
      .map(textOf)
      .join('&'),
  };
}

/** The parameters that decide the statement by their text. */
const shaping = ['count', 'deleted', 'order_by', 'fields'] as const;

/** `Infinity`, `1e2`, `0x10`, `+5` and the empty text are not whole numbers. Nothing is clamped. */
function wholeNumber(highest: number) {
  return (text: string, complain: Complain) => {
    const value = Number(text);
    if (/^(0|[1-9]\d{0,15})$/.test(text) && value <= highest) return value;
    return void complain('out_of_range', `must be a whole number from 0 to ${highest}`);
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
  const sizes = filters.map((filter) => ('parts' in filter ? countTerms(filter.parts) : 1));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Encoded again, because nothing that a client sent goes into a header as it is. */
function textOf({ name, value }: Parameter): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}

/** Reads `-created_at,author.name`, and adds the id, which makes every order total. */
function parseOrder(root: PathRoot, text: string, complain: Complain): readonly OrderKey[] {
  const all = text.split(',');
  if (all.length > maxOrderKeys) complain('too_many', `takes at most ${maxOrderKeys} keys`);
  const words = all.slice(0, maxOrderKeys).map(parseWord);
  const id = { name: 'id', descending: words[0]?.descending ?? false };
  const keys: OrderKey[] = [];
  for (const word of words.some(({ name }) => name === 'id') ? words : [...words, id]) {
    const path = resolvePath(root, word.name);
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
  // The id is unique, so later keys change nothing.
  return keys.slice(0, keys.findIndex((key) => key.path.text === 'id') + 1);
}

/** The default order, without keys that would tell the viewer what they may not see. */
function ownOrder({ resource, viewer }: PathRoot): string {
  const { orderBy = 'id' } = resource;
  const isSeen = (word: string) => seesField(resource, parseWord(word).name, viewer) === true;
  return orderBy.split(',').filter(isSeen).join(',') || 'id';
}

/** `-name` is descending. */
function parseWord(text: string): { readonly name: string; readonly descending: boolean } {
  const word = text.trim();
  return word.startsWith('-')
    ? { name: word.slice(1), descending: true }
    : { name: word, descending: false };
}

function isOrderable({ field, steps }: Path): boolean {
  return operatorsOf[field.type].includes('eq') && !steps.some(isToMany);
}
