import { present } from '../present.ts';
import { operations } from './language.ts';
import { type Flaw, isFlaw } from './scope.ts';
import { type Entry, type Who, type Comparison, type Operand, signs, whoCalled } from './entry.ts';

/**
 * Parses `owner if status = draft then status in (draft, sent)`, or says what is wrong with it. `kinds`: words for the
 * model's members; any other single word is a role.
 */
export function parseEntry(
  text: string,
  kinds: readonly string[] = [],
  helpForMore?: string,
): Entry | Flaw {
  const all = text.match(/"[^"]*"|'[^']*'|!=|<=|>=|[=<>(),]|[^\s=<>!(),"']+|\S/g) ?? [];
  const tokens: Tokens = { all, next: 0 };
  try {
    const only = takeToken(tokens, 'only');
    const isBare = only && nextToken(tokens) === 'if';
    const who = isBare ? ({ kind: 'public' } as const) : parseWho(tokens, kinds);
    const condition = takeToken(tokens, 'if') ? readCondition(tokens) : undefined;
    const result = takeToken(tokens, 'then') ? readCondition(tokens) : undefined;
    refuseMore(tokens, helpForMore);
    if (only && (result !== undefined || (condition !== undefined && !isBare))) {
      throw new EntryError(
        '`only` takes somebody, or a condition',
        'write an entry for each: `only` and who, and `only if …`',
      );
    }
    return { ...who, ...(only && { only }), ...present({ if: condition, after: result }) };
  } catch (error) {
    if (error instanceof EntryError) return { message: error.message, help: error.help };
    throw error;
  }
}

/** Parses a condition, or says what is wrong with it. */
export function parseCondition(text: string): readonly Comparison[] | Flaw {
  const entry = parseEntry(`only if ${text}`, [], comparisonsHelp);
  return isFlaw(entry) ? entry : (entry.if ?? []);
}

const comparisonsHelp =
  'join comparisons by `and`: `status = draft and closed_at is null`; quote a text that is not one word';

class EntryError extends Error {
  readonly help: string;

  constructor(message: string, help: string) {
    super(message);
    this.help = help;
  }
}

/** The tokens of an entry, and the index of the next one. */
interface Tokens {
  readonly all: readonly string[];
  next: number;
}

const nextToken = ({ all, next }: Tokens) => all[next];

/** Whether the next token is this one, which is then read. */
function takeToken(tokens: Tokens, wanted: string): boolean {
  if (nextToken(tokens) !== wanted) return false;
  tokens.next += 1;
  return true;
}

/** The next token. Throws if `isOne` refuses it. */
function takeName(tokens: Tokens, expected: string, help: string, isOne = isName): string {
  const token = nextToken(tokens);
  if (token === undefined || !isOne(token)) throw refusedToken(tokens, expected, help);
  tokens.next += 1;
  return token;
}

function requireToken(tokens: Tokens, wanted: string, help: string): void {
  if (!takeToken(tokens, wanted)) throw refusedToken(tokens, `\`${wanted}\``, help);
}

function refusedToken(tokens: Tokens, expected: string, help: string): EntryError {
  const token = nextToken(tokens);
  const message =
    token === undefined ? `${expected} is missing` : `expected ${expected}, found \`${token}\``;
  return new EntryError(message, help);
}

function refuseMore(tokens: Tokens, given?: string): void {
  const token = nextToken(tokens);
  if (token === undefined) return;
  const isDenied = token === 'not' || tokens.all[tokens.next - 1] === 'not';
  const help = given ?? helpByWord.get(isDenied ? 'not' : token) ?? entryHelp;
  throw new EntryError(`unexpected \`${token}\``, help);
}

const entryHelp =
  'write who, then optionally `if …`, then optionally `then …`; for several people, one entry each: `[owner, editor]`';

/** Help for words of other languages. */
const helpByWord: ReadonlyMap<string, string> = new Map([
  ['or', 'write an entry for each, in a list: `[owner, editor]`'],
  ['and', 'add a further requirement as an entry with `only`: `[owner, only editor]`'],
  ['not', 'there is no `not`: name those who are admitted, or compare with `!=`'],
  ['(', 'only a word of `members` can be followed by roles: `member(manager)`'],
]);

const isName = (word: string) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(word);

const isPath = (word: string) => word.split('.').every(isName);

const isLiteral = (word: string) => isValue(word) || /^(".*"|'.*')$/s.test(word);

const isValue = (word: string) => !/^[=<>!(),"']+$/.test(word);

function parseWho(tokens: Tokens, kinds: readonly string[]): Who {
  if (takeToken(tokens, 'is')) {
    return {
      kind: 'is',
      relation: takeName(tokens, 'a relation', 'name a relation to `User`: `is reviewer`'),
    };
  }
  if (takeToken(tokens, 'shares')) {
    const help = 'name a model that has members: `shares Organisation`';
    return { kind: 'shares', model: takeName(tokens, 'a model', help) };
  }
  if (takeToken(tokens, 'via')) {
    const help = 'name a relation, and an operation where it is another one: `via team.update`';
    const [relation = '', written, ...more] = takeName(tokens, 'a relation', help, isPath).split(
      '.',
    );
    if (written === undefined) return { kind: 'via', relation };
    const operation = operations.find((name) => name === written);
    if (operation !== undefined && more.length === 0) return { kind: 'via', relation, operation };
    throw new EntryError(
      `\`${[written, ...more].join('.')}\` is not an operation`,
      `say what they may do there, one of ${operations.join(', ')}: \`via ${relation}.update\``,
    );
  }
  const word = takeName(tokens, 'who', 'say who is admitted: `owner if status = draft`', isValue);
  if (nextToken(tokens) === '(') return { kind: 'members', word, roles: rolesIn(tokens) };
  return kinds.includes(word) ? { kind: 'members', word, roles: [] } : whoCalled(word);
}

/** `(manager, owner)` */
function rolesIn(tokens: Tokens): readonly string[] {
  const help =
    'write roles in parentheses, and inside of `[…]` the entry in quotes: `"member(manager, owner)"`';
  const names: string[] = [];
  while (takeToken(tokens, '(') || takeToken(tokens, ','))
    names.push(takeName(tokens, 'a role', help));
  requireToken(tokens, ')', help);
  return names;
}

function readCondition(tokens: Tokens): readonly Comparison[] {
  const all = [parseComparison(tokens)];
  while (takeToken(tokens, 'and')) all.push(parseComparison(tokens));
  return all;
}

const conditionHelp = 'write a condition like `status = draft` or `closed_at is null`';

function parseComparison(tokens: Tokens): Comparison {
  const path = takeName(tokens, 'a field', conditionHelp, isPath).split('.');
  if (takeToken(tokens, 'is')) {
    const isNot = takeToken(tokens, 'not');
    requireToken(tokens, 'null', conditionHelp);
    return { path, operator: isNot ? 'is not null' : 'is null', values: [] };
  }
  if (takeToken(tokens, 'in')) {
    const help =
      'write the values in parentheses, and inside of `[…]` the entry in quotes: `"owner if status in (draft, sent)"`';
    requireToken(tokens, '(', help);
    const values = [parseOperand(tokens)];
    while (takeToken(tokens, ',')) values.push(parseOperand(tokens));
    requireToken(tokens, ')', help);
    return { path, operator: 'in', values };
  }
  const operator = signs.find((sign) => takeToken(tokens, sign));
  if (operator === undefined) throw refusedToken(tokens, 'a comparison', conditionHelp);
  return { path, operator, values: [parseOperand(tokens)] };
}

function parseOperand(tokens: Tokens): Operand {
  const word = takeName(tokens, 'a value', conditionHelp, isLiteral);
  if (/^["']/.test(word)) return { kind: 'literal', text: word.slice(1, -1) };
  if (word === 'now') return { kind: 'now' };
  if (word === 'null')
    throw new EntryError('a comparison with null never holds', 'write `is null` or `is not null`');
  const [first, ...path] = word.split('.');
  if (first === 'me' && path.length > 0) return { kind: 'me', path };
  return { kind: 'literal', text: word };
}
