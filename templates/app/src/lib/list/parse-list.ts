import { hash } from 'node:crypto';
import type { ViewerInSql } from '../access.ts';
import { type Complain, type Fault, invalid, queryFault } from '../problem.ts';
import type { Resource } from '../resource.ts';
import { parseSelection, wholeRow } from '../selection.ts';
import { readCursor } from './keyset.ts';
import type { Filter } from './filter.ts';
import { type Parameter, readQueryString, reservedParameters } from './query-string.ts';
import { type ListPlan, ownOrder, parseOrder } from './plan.ts';
import { parseFilter, parseTerm } from './parse-filter.ts';

const defaultLimit = 50;
const highestLimit = 1000;
const mostTerms = 50;

/** What a list is of, and for whom. */
export interface Asked {
  readonly resource: Resource;
  readonly viewer: ViewerInSql | null;
}

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
  const count = read('count', oneOf(['exact', 'estimated', 'none'])) ?? 'exact';
  const deleted = resource.softDelete ? read('deleted', oneOf(['only', 'with'])) : undefined;
  const orderBy = texts.get('order_by') ?? ownOrder(asked);
  const order = parseOrder(asked, orderBy, about('order_by'));
  const selection =
    read('fields', (text, complain) => parseSelection(asked, text, complain)) ?? wholeRow(resource);

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
