import { present } from '../present.ts';
import { operations } from './language.ts';
import { type Flaw, isFlaw } from './scope.ts';
import { type Entry, type Who, type Comparison, type Operand, signs, whoCalled } from './entry.ts';

/**
 * Parses `owner if status = draft then status in (draft, sent)`, or says what is wrong with it. `kinds`: words for the
 * model's members; any other single word is a role.
 */
export function parseEntry(text: string, kinds: readonly string[] = []): Entry | Flaw {
  const tokens = text.match(/"[^"]*"|'[^']*'|!=|<=|>=|[=<>(),]|[^\s=<>!(),"']+|\S/g) ?? [];
  const words: Words = { tokens, at: 0 };
  try {
    const only = takesWord(words, 'only');
    const isBare = only && nextToken(words) === 'if';
    const who = isBare ? ({ kind: 'public' } as const) : parseWho(words, kinds);
    const condition = takesWord(words, 'if') ? readCondition(words) : undefined;
    const result = takesWord(words, 'then') ? readCondition(words) : undefined;
    refuseMore(words);
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
  const entry = parseEntry(`only if ${text}`);
  if (!isFlaw(entry)) return entry.if ?? [];
  return entry.message.startsWith('unexpected') ? { ...entry, help: comparisonsHelp } : entry;
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

/** The words of an entry, and how many of them are read. */
interface Words {
  readonly tokens: readonly string[];
  at: number;
}

const nextToken = ({ tokens, at }: Words) => tokens[at];

function takesWord(words: Words, word: string): boolean {
  if (nextToken(words) !== word) return false;
  words.at += 1;
  return true;
}

/** The next word. Throws if `isOne` refuses it. */
function takeName(words: Words, expected: string, help: string, isOne = isName): string {
  const word = nextToken(words);
  if (word === undefined || !isOne(word)) throw refusedWord(words, expected, help);
  words.at += 1;
  return word;
}

function needWord(words: Words, word: string, help: string): void {
  if (!takesWord(words, word)) throw refusedWord(words, `\`${word}\``, help);
}

function refusedWord(words: Words, expected: string, help: string): EntryError {
  const word = nextToken(words);
  const message =
    word === undefined ? `${expected} is missing` : `expected ${expected}, found \`${word}\``;
  return new EntryError(message, help);
}

function refuseMore(words: Words): void {
  const word = nextToken(words);
  if (word === undefined) return;
  const isDenied = word === 'not' || words.tokens[words.at - 1] === 'not';
  const help = helpByWord.get(isDenied ? 'not' : word) ?? entryHelp;
  throw new EntryError(`unexpected \`${word}\``, help);
}

const entryHelp =
  'who comes first, then `if` and a condition, then `then` and one; an entry for each of several: `[owner, editor]`';

/** Help for words of other languages. */
const helpByWord: ReadonlyMap<string, string> = new Map([
  ['or', 'write an entry for each, in a list: `[owner, editor]`'],
  ['and', 'what has to hold as well is an entry with `only`: `[owner, only editor]`'],
  ['not', 'there is no `not`: name those who are admitted, or compare with `!=`'],
  ['(', 'roles stand behind a word of `members` alone: `member(manager)`'],
]);

const isName = (word: string) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(word);

const isPath = (word: string) => word.split('.').every(isName);

const isLiteral = (word: string) => isValue(word) || /^(".*"|'.*')$/s.test(word);

const isValue = (word: string) => !/^[=<>!(),"']+$/.test(word);

function parseWho(words: Words, kinds: readonly string[]): Who {
  if (takesWord(words, 'is')) {
    return {
      kind: 'is',
      relation: takeName(words, 'a relation', 'name a relation to `User`: `is reviewer`'),
    };
  }
  if (takesWord(words, 'shares')) {
    const help = 'name a model that has members: `shares Organisation`';
    return { kind: 'shares', model: takeName(words, 'a model', help) };
  }
  if (takesWord(words, 'via')) {
    const help = 'name a relation, and an operation where it is another one: `via team.update`';
    const [relation = '', written, ...more] = takeName(words, 'a relation', help, isPath).split(
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
  const word = takeName(words, 'who', 'say who is admitted: `owner if status = draft`', isValue);
  if (nextToken(words) === '(') return { kind: 'members', word, roles: rolesIn(words) };
  return kinds.includes(word) ? { kind: 'members', word, roles: [] } : whoCalled(word);
}

/** `(manager, owner)` */
function rolesIn(words: Words): readonly string[] {
  const help =
    'write roles in parentheses, and inside of `[…]` the entry in quotes: `"member(manager, owner)"`';
  const names: string[] = [];
  while (takesWord(words, '(') || takesWord(words, ','))
    names.push(takeName(words, 'a role', help));
  needWord(words, ')', help);
  return names;
}

function readCondition(words: Words): readonly Comparison[] {
  const all = [parseComparison(words)];
  while (takesWord(words, 'and')) all.push(parseComparison(words));
  return all;
}

const conditionHelp = 'write a condition like `status = draft` or `closed_at is null`';

function parseComparison(words: Words): Comparison {
  const path = takeName(words, 'a field', conditionHelp, isPath).split('.');
  if (takesWord(words, 'is')) {
    const isNot = takesWord(words, 'not');
    needWord(words, 'null', conditionHelp);
    return { path, operator: isNot ? 'is not null' : 'is null', values: [] };
  }
  if (takesWord(words, 'in')) {
    const help =
      'write the values in parentheses, and inside of `[…]` the entry in quotes: `"owner if status in (draft, sent)"`';
    needWord(words, '(', help);
    const values = [parseOperand(words)];
    while (takesWord(words, ',')) values.push(parseOperand(words));
    needWord(words, ')', help);
    return { path, operator: 'in', values };
  }
  const operator = signs.find((sign) => takesWord(words, sign));
  if (operator === undefined) throw refusedWord(words, 'a comparison', conditionHelp);
  return { path, operator, values: [parseOperand(words)] };
}

function parseOperand(words: Words): Operand {
  const word = takeName(words, 'a value', conditionHelp, isLiteral);
  if (/^["']/.test(word)) return { kind: 'literal', text: word.slice(1, -1) };
  if (word === 'now') return { kind: 'now' };
  if (word === 'null')
    throw new EntryError('a comparison with null never holds', 'write `is null` or `is not null`');
  const [first, ...path] = word.split('.');
  if (first === 'me' && path.length > 0) return { kind: 'me', path };
  return { kind: 'literal', text: word };
}
