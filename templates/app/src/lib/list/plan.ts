import { hash } from 'node:crypto';
import { boundedCache } from '../../database/cache.ts';
import type { ViewerInSql } from '../access.ts';
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
export interface ListPlan extends Frame {
  readonly resource: Resource;
  readonly limit: number;
  readonly offset: number;
  readonly filters: readonly Filter[];
  /** The values of the list's own parameters that the request has. */
  readonly parameters: { readonly [name: string]: string };
  /** Whether the client has said an order. */
  readonly isOrdered: boolean;
  /** Values of the order keys behind which the page begins, as columns keep them. */
  readonly position?: readonly unknown[] | undefined;
  /** What decides its rows besides the order, as the client has said it. */
  readonly said: readonly unknown[];
  /** The query without `offset` and `cursor`, for links to other pages. */
  readonly query: string;
}

/** What of a request has no values: read once, and kept for those that differ in their values alone. */
interface Frame {
  /** What it was read from. */
  readonly text: string;
  readonly count: 'exact' | 'estimated' | 'none';
  readonly deleted: 'without' | 'only' | 'with';
  readonly order: readonly OrderKey[];
  readonly selection: Selection;
  readonly faults: readonly Fault[];
}

/** What the plan's statement is bound to. */
export function operandsIn({ filters, position = [] }: ListPlan): readonly unknown[] {
  return [...filters.flatMap(operandsOf), ...position.filter((value) => value !== null)];
}

/** Plans of one shape share a statement: they differ in what it is bound to. */
export function shapeOfPlan({ text, limit, offset, filters, parameters, position }: ListPlan) {
  const behind = position?.map((value) => value === null);
  const filtered = filters.map(shapeOf);
  return JSON.stringify([text, limit, offset > 0, filtered, Object.keys(parameters), behind]);
}

/** Names order and filter, so that a cursor of another list is refused. */
export function fingerprint({ order, said }: Pick<ListPlan, 'order' | 'said'>): string {
  const keys = order.map(({ path, descending }) => `${path.text}:${descending}`);
  return hash('sha256', JSON.stringify([keys, ...said]), 'base64url').slice(0, 16);
}

const defaultLimit = 50;
const highestLimit = 1000;
const mostTerms = 50;
/** Of the texts that frames are kept of. */
const mostCharacters = 200_000;

/** Checks requests against their resource; throws one problem that names everything that is wrong. */
export function listReader(resource: Resource) {
  const frames = boundedCache<Frame>(mostCharacters, ({ faults }) => JSON.stringify(faults).length);
  const reserved = reservedParameters(resource);
  return (query: string, viewer: ViewerInSql | null): ListPlan => {
    const asked = { resource, viewer };
    const request = readRequest(query);
    const { parameters, texts, faults, about, read } = request;
    const limit = read('limit', wholeNumber(highestLimit)) ?? defaultLimit;
    const offset = read('offset', wholeNumber(Number.MAX_SAFE_INTEGER)) ?? 0;
    const text = JSON.stringify([viewer?.role, ...framing.map((name) => texts.get(name))]);
    const frame = frames(text, () => readFrame(asked, texts, text));
    faults.push(...frame.faults);
    requireBounded(resource, { selection: frame.selection, limit }, about('fields'));

    const terms = parameters.filter(({ name }) => !reserved.includes(name));
    const filters = readFilters(asked, request, terms);
    const own = Object.entries(resource.parameters ?? {}).flatMap(([name, { parse }]) => {
      const value = read(name, parse);
      return value === undefined ? [] : [[name, value] as const];
    });
    if (countTerms(filters) > mostTerms)
      about('filter')('too_many', `at most ${mostTerms} comparisons`);
    if (texts.has('cursor') && texts.has('offset'))
      about('cursor')('conflicting', 'excludes `offset`');
    if (faults.length > 0) throw invalid(faults);

    const deleted = frame.deleted === 'without' ? undefined : frame.deleted;
    const said = [terms.map(textOf).toSorted(), texts.get('filter'), deleted, own];
    const position = read('cursor', (cursor, complain) =>
      readCursor(cursor, { list: fingerprint({ ...frame, said }), ...frame }, complain),
    );
    if (faults.length > 0) throw invalid(faults);
    return {
      ...frame,
      resource,
      limit,
      offset,
      filters,
      position,
      said,
      parameters: Object.fromEntries(own),
      isOrdered: texts.has('order_by'),
      query: parameters.filter(staysInLinks).map(textOf).join('&'),
    };
  };
}

/** The parameters that a frame is read from. */
const framing = ['count', 'deleted', 'order_by', 'fields'] as const;

type Texts = ReadonlyMap<string, string>;

function readFrame(asked: Asked, texts: Texts, text: string): Frame {
  const { resource } = asked;
  const { faults, about, read } = reading(texts);
  const count = read('count', oneOf(['exact', 'estimated', 'none'])) ?? 'exact';
  const deleted = resource.softDelete ? read('deleted', oneOf(['only', 'with'])) : undefined;
  const order = parseOrder(asked, texts.get('order_by') ?? ownOrder(asked), about('order_by'));
  const fields = read('fields', (paths, complain) => parseSelection(asked, paths, complain));
  const selection = fields ?? wholeRow(resource);
  return { text, count, deleted: deleted ?? 'without', order, selection, faults };
}

function readFilters(
  asked: Asked,
  { about, read }: ReturnType<typeof readRequest>,
  terms: readonly Parameter[],
): readonly Filter[] {
  const compared = terms.flatMap((term) => parseTerm(asked, term, about(term.name)) ?? []);
  const filter = read('filter', (text, complain) => parseFilter(asked, text, complain));
  return filter === undefined ? compared : [...compared, filter];
}

function readRequest(query: string) {
  const { parameters, faults } = readQueryString(query);
  const texts: Texts = new Map(parameters.map(({ name, value }) => [name, value]));
  return { parameters, texts, ...reading(texts, faults) };
}

/** How the texts of parameters are read, with a place for what is wrong with each. */
function reading(texts: Texts, malformed: readonly Fault[] = []) {
  const faults: Fault[] = [...malformed];
  const about =
    (name: string): Complain =>
    (code, msg) =>
      faults.push(queryFault(name, code, msg));
  const read = <Value>(name: string, parse: (text: string, complain: Complain) => Value) => {
    const text = texts.get(name);
    return text === undefined ? undefined : parse(text, about(name));
  };
  return { faults, about, read };
}

/** `Infinity`, `1e2`, `0x10`, `+5` and the empty text are no whole numbers. Nothing is clamped. */
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
  const counts = filters.map((filter) => ('parts' in filter ? countTerms(filter.parts) : 1));
  return counts.reduce((sum, count) => sum + count, 0);
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
