import { isText, wireTypes } from '../../database/values.ts';
import {
  type Asked,
  type DeadEnd,
  type Field,
  type Path,
  refusePath,
  resolvePath,
  type Resource,
} from '../resource.ts';
import { type Complain, type Fault, queryFault } from '../problem.ts';
import {
  checked,
  type Comparison,
  type Filter,
  legalOperator,
  type Operator,
  operators,
} from './filter.ts';

export interface Parameter {
  readonly name: string;
  readonly value: string;
}

const most = 64;

/** Reads a raw query string, strictly: each name once, well-formed UTF-8, no list or map in brackets. */
export function readQueryString(query: string): {
  readonly parameters: readonly Parameter[];
  readonly faults: readonly Fault[];
} {
  const parameters: Parameter[] = [];
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const parts = query.split('&').filter((part) => part !== '');
  if (parts.length > most) {
    return { parameters, faults: [queryFault('', 'too_many', `at most ${most} parameters`)] };
  }
  for (const part of parts) {
    const [rawName = ''] = part.split('=', 1);
    const name = decoded(rawName);
    const value = decoded(part.slice(rawName.length + 1));
    if (name === undefined || value === undefined) {
      faults.push(queryFault(name ?? rawName, 'malformed', 'must be percent-encoded UTF-8 text'));
    } else if (seen.has(name)) {
      faults.push(queryFault(name, 'repeated', 'must be given once'));
    } else {
      seen.add(name);
      parameters.push({ name, value });
    }
  }
  return { parameters, faults };
}

function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text.replaceAll('+', ' '));
    return isText(plain) ? plain : undefined;
  } catch {
    return undefined;
  }
}

/** The parameters of a list that are not named after a field; a field of such a name is filtered as `limit__eq`. */
export function reservedParameters({ softDelete, parameters }: Resource): readonly string[] {
  const names = ['limit', 'offset', 'cursor', 'count', 'order_by', 'fields', 'filter'];
  return [...names, ...(softDelete ? ['deleted'] : []), ...Object.keys(parameters ?? {})];
}

const longest = 4096;
const deepest = 10;

/** `["|",[["status","=","draft"],["views",">",10]]]` */
export function parseFilter(asked: Asked, text: string, complain: Complain): Filter | undefined {
  if (Buffer.byteLength(text) > longest) {
    complain('too_long', `must be at most ${longest} bytes`);
    return undefined;
  }
  try {
    return filterOf(JSON.parse(text), 1);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    complain('malformed', 'must be JSON');
    return undefined;
  }

  function filterOf(node: unknown, depth: number): Filter | undefined {
    if (!Array.isArray(node) || depth > deepest) {
      complain('malformed', depth > deepest ? `must be at most ${deepest} deep` : shape);
      return undefined;
    }
    const [first, second, ...rest]: unknown[] = node;
    if ((first === '&' || first === '|') && Array.isArray(second) && second.length > 0) {
      const parts = second.flatMap((part) => filterOf(part, depth + 1) ?? []);
      return first === '&' ? { all: parts } : { any: parts };
    }
    if (typeof first === 'string' && typeof second === 'string' && rest.length < 2) {
      return ruleOf(first, second, rest);
    }
    complain('malformed', shape);
    return undefined;
  }

  function ruleOf(name: string, word: string, given: readonly unknown[]): Comparison | undefined {
    const path = resolveKey(asked, name);
    if ('unknown' in path) {
      refusePath(path, 'unknown_field', complain);
      return undefined;
    }
    const meaning = words.get(word) ?? { operator: word };
    const operator = legalOperator(path, meaning.operator, complain);
    if (operator === undefined) return undefined;
    const values = meaning.values ?? jsonValues(path.field, operator, given);
    const negated = meaning.negated === true;
    return checked({ path, operator, values, negated }, complain);
  }
}

const shape = 'must be ["field", "operator", value], or ["&", […]] or ["|", […]] around such';

interface Word {
  readonly operator: string;
  readonly values?: readonly unknown[];
  readonly negated?: boolean;
}

/** What the JSON form calls them; it knows the names of the parameters, too. */
const words: ReadonlyMap<string, Word> = new Map([
  ['=', { operator: 'eq' }],
  ['!=', { operator: 'ne' }],
  ['<', { operator: 'lt' }],
  ['<=', { operator: 'lte' }],
  ['>', { operator: 'gt' }],
  ['>=', { operator: 'gte' }],
  ['not in', { operator: 'nin' }],
  ['not contains', { operator: 'contains', negated: true }],
  ['not icontains', { operator: 'icontains', negated: true }],
  ['starts with', { operator: 'startswith' }],
  ['not starts with', { operator: 'startswith', negated: true }],
  ['ends with', { operator: 'endswith' }],
  ['not ends with', { operator: 'endswith', negated: true }],
  ['is true', { operator: 'eq', values: [true] }],
  ['is false', { operator: 'eq', values: [false] }],
  ['is empty', { operator: 'isnull', values: [true] }],
  ['is not empty', { operator: 'isnull', values: [false] }],
]);

/** A relation stands for the id on its other side: `["tags", "in", [1, 2]]`. */
function resolveKey(asked: Asked, name: string): Path | DeadEnd {
  const path = resolvePath(asked, name);
  if (!('unknown' in path)) return path;
  const key = resolvePath(asked, `${name}.id`);
  return 'unknown' in key && key.barred === undefined ? path : key;
}

function jsonValues(
  field: Field,
  operator: Operator,
  given: readonly unknown[],
): readonly unknown[] {
  const { takes } = operators[operator];
  const [first] = given;
  const values: readonly unknown[] =
    (takes === 'list' || takes === 'pair') && Array.isArray(first) ? first : given;
  // A type that travels as text is compared with a number just as well: `["price", ">", 100]`.
  const isNumeric = field.type === 'decimal' || field.type === 'bigint';
  return values.map((value) => (isNumeric && typeof value === 'number' ? String(value) : value));
}

/** `author.name__icontains=ann`; without an operator, equality. */
export function parseTerm(
  asked: Asked,
  { name, value }: Parameter,
  complain: Complain,
): Comparison | undefined {
  const [path, word = 'eq'] = pathAndOperator(asked, name);
  if ('unknown' in path) {
    const known = name.includes('.')
      ? path.known
      : [...reservedParameters(asked.resource), ...path.known];
    refusePath({ ...path, known }, 'unknown_parameter', complain);
    return undefined;
  }
  const operator = legalOperator(path, word, complain);
  if (operator === undefined) return undefined;
  return checked({ path, operator, values: valuesIn(value, path.field, operator) }, complain);
}

/** A field may have `__` in its name, so the whole name comes first. */
function pathAndOperator(asked: Asked, name: string): readonly [Path | DeadEnd, string?] {
  const whole = resolvePath(asked, name);
  const cut = name.lastIndexOf('__');
  if (!('unknown' in whole) || whole.barred !== undefined || cut < 1) return [whole];
  return [resolvePath(asked, name.slice(0, cut)), name.slice(cut + 2)];
}

function valuesIn(text: string, field: Field, operator: Operator): readonly unknown[] {
  const { parse = String } = wireTypes[field.type];
  switch (operators[operator].takes) {
    case 'value':
      return [parse(text)];
    case 'part':
      return [text];
    case 'truth':
      return [wireTypes.bool.parse?.(text)];
    default:
      return text.split(',').map((part) => parse(part));
  }
}
