import { isText, wireTypes } from '../../database/values.ts';
import { type DeadEnd, type Path, type PathRoot, refusePath, resolvePath } from '../resource.ts';
import { type Complain, type Fault, queryFault } from '../problem.ts';
import {
  type Comparison,
  comparisonOf,
  type Filter,
  formOf,
  legalOperator,
  type Operator,
} from './filter.ts';
import { reservedParameters } from './parameters.ts';

export interface Parameter {
  readonly name: string;
  readonly value: string;
}

const maxParameters = 64;

/** The parameters of a query string, with functions to read them and to report what is wrong. */
export function readQueryString(query: string) {
  const faults: Fault[] = [];
  const about =
    (name: string): Complain =>
    (code, msg) =>
      faults.push(queryFault(name, code, msg));
  const parameters = parametersIn(query, about);
  const texts = new Map(parameters.map(({ name, value }) => [name, value]));
  const read = <Value>(name: string, parse: (text: string, complain: Complain) => Value) => {
    const text = texts.get(name);
    return text === undefined ? undefined : parse(text, about(name));
  };
  return { parameters, texts, faults, about, read };
}

/** Strictly: each name once, well-formed UTF-8, no lists or maps in brackets. */
function parametersIn(query: string, about: (name: string) => Complain): readonly Parameter[] {
  const parts = query.split('&').filter((part) => part !== '');
  if (parts.length > maxParameters) {
    about('')('too_many', `at most ${maxParameters} parameters`);
    return [];
  }
  const parameters: Parameter[] = [];
  const seen = new Set<string>();
  for (const part of parts) {
    const [rawName = ''] = part.split('=', 1);
    const name = decoded(rawName);
    const value = decoded(part.slice(rawName.length + 1));
    if (name === undefined || value === undefined) {
      about(name ?? rawName)('malformed', 'must be percent-encoded UTF-8 text');
    } else if (seen.has(name)) {
      about(name)('repeated', 'must be given once');
    } else {
      seen.add(name);
      parameters.push({ name, value });
    }
  }
  return parameters;
}

function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text.replaceAll('+', ' '));
    return isText(plain) ? plain : undefined;
  } catch {
    return undefined;
  }
}

const maxBytes = 4096;
const maxDepth = 10;

/** `["|",[["status","=","draft"],["views",">",10]]]` */
export function parseFilter(root: PathRoot, text: string, complain: Complain): Filter | undefined {
  if (Buffer.byteLength(text) > maxBytes)
    return void complain('too_long', `must be at most ${maxBytes} bytes`);
  try {
    return filterOf(JSON.parse(text), 1);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return void complain('malformed', 'must be JSON');
  }

  function filterOf(node: unknown, depth: number): Filter | undefined {
    if (depth > maxDepth) return void complain('malformed', `must be at most ${maxDepth} deep`);
    const [first, second, ...rest]: unknown[] = Array.isArray(node) ? node : [];
    if ((first === '&' || first === '|') && Array.isArray(second) && second.length > 0) {
      const parts = second.flatMap((part) => filterOf(part, depth + 1) ?? []);
      return { joined: first === '&' ? 'and' : 'or', parts };
    }
    if (typeof first === 'string' && typeof second === 'string' && rest.length < 2)
      return ruleOf(first, second, rest);
    return void complain('malformed', shape);
  }

  function ruleOf(name: string, word: string, given: readonly unknown[]): Comparison | undefined {
    const path = resolveKey(root, name);
    if ('unknown' in path) return void refusePath(path, 'unknown_field', complain);
    const { operator: known, values, negated }: Word = words.get(word) ?? { operator: word };
    const operator = legalOperator(path, known, complain);
    if (operator === undefined) return undefined;
    const compared = { path, operator, negated: negated === true };
    return comparisonOf(compared, values ?? jsonValues(path, operator, given), complain);
  }
}

const shape = 'must be ["field", "operator", value], or ["&", […]] or ["|", […]] around such';

interface Word {
  readonly operator: string;
  readonly values?: readonly unknown[];
  readonly negated?: boolean;
}

/** Their names in the JSON form, which also takes the names of the parameters. */
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
function resolveKey(root: PathRoot, name: string): Path | DeadEnd {
  const path = resolvePath(root, name);
  if (!('unknown' in path)) return path;
  const key = resolvePath(root, `${name}.id`);
  return 'unknown' in key && key.barred === undefined ? path : key;
}

function jsonValues(path: Path, operator: Operator, given: readonly unknown[]) {
  const [first] = given;
  const isMany = formOf(path, operator).most > 1 && Array.isArray(first);
  const values: readonly unknown[] = isMany ? first : given;
  // A type that is sent as text can be compared with a number, too: `["price", ">", 100]`.
  const isNumeric = path.field.type === 'decimal' || path.field.type === 'bigint';
  return values.map((value) => (isNumeric && typeof value === 'number' ? String(value) : value));
}

/** `author.name__icontains=ann`; without an operator, equality. */
export function parseTerm(
  root: PathRoot,
  { name, value }: Parameter,
  complain: Complain,
): Comparison | undefined {
  const [path, word = 'eq'] = pathAndOperator(root, name);
  if ('unknown' in path) {
    const reserved = name.includes('.') ? [] : reservedParameters(root.resource);
    const known = [...reserved, ...path.known];
    return void refusePath({ ...path, known }, 'unknown_parameter', complain);
  }
  const operator = legalOperator(path, word, complain);
  if (operator === undefined) return undefined;
  const form = formOf(path, operator);
  const { parse = String } = wireTypes[form.type];
  const values = (form.most === 1 ? [value] : value.split(',')).map((part) => parse(part));
  return comparisonOf({ path, operator }, values, complain);
}

/** A field may have `__` in its name, so the whole name is tried first. */
function pathAndOperator(root: PathRoot, name: string): readonly [Path | DeadEnd, string?] {
  const whole = resolvePath(root, name);
  const cut = name.lastIndexOf('__');
  if (!('unknown' in whole) || whole.barred !== undefined || cut < 1) return [whole];
  return [resolvePath(root, name.slice(0, cut)), name.slice(cut + 2)];
}
