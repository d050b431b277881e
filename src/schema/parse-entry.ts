import { operations } from './language.ts';
import { type Flaw, isFlaw } from './scope.ts';
import { type Entry, type Who, type Comparison, type Operand, signs, whoCalled } from './entry.ts';

/**
 * Parses `owner if status = draft then status in (draft, sent)`, or says what is wrong with it. `kinds`: words for the
 * model's members; any other single word is a role.
 */
export function parseEntry(text: string, kinds: readonly string[] = []): Entry | Flaw {
  const tokens = text.match(/"[^"]*"|'[^']*'|!=|<=|>=|[=<>(),]|[^\s=<>!(),"']+|\S/g) ?? [];
  const words = new Words(tokens);
  try {
    const only = words.takes('only');
    const isBare = only && words.sees('if');
    const who = isBare ? ({ kind: 'public' } as const) : parseWho(words, kinds);
    const condition = words.takes('if') ? readCondition(words) : undefined;
    const result = words.takes('then') ? readCondition(words) : undefined;
    words.end();
    if (only && (result !== undefined || (condition !== undefined && !isBare))) {
      throw new EntryError(
        '`only` takes somebody, or a condition',
        'write an entry for each: `only` and who, and `only if …`',
      );
    }
    return {
      ...who,
      ...(only && { only }),
      ...(condition && { if: condition }),
      ...(result && { after: result }),
    };
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

class Words {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  sees(word: string): boolean {
    return this.#tokens[this.#at] === word;
  }

  takes(word: string): boolean {
    if (!this.sees(word)) return false;
    this.#at += 1;
    return true;
  }

  /** The next word. Throws if `isOne` refuses it. */
  next(expected: string, help: string, isOne: (word: string) => boolean = isName): string {
    const word = this.#tokens[this.#at];
    if (word === undefined || !isOne(word)) return this.refuse(expected, help);
    this.#at += 1;
    return word;
  }

  need(word: string, help: string): void {
    if (!this.takes(word)) this.refuse(`\`${word}\``, help);
  }

  refuse(expected: string, help: string): never {
    const word = this.#tokens[this.#at];
    const isMissing = word === undefined;
    throw new EntryError(
      isMissing ? `${expected} is missing` : `expected ${expected}, found \`${word}\``,
      help,
    );
  }

  end(): void {
    const word = this.#tokens[this.#at];
    if (word === undefined) return;
    const isDenied = word === 'not' || this.#tokens[this.#at - 1] === 'not';
    const help = (isDenied ? helpByWord.get('not') : helpByWord.get(word)) ?? entryHelp;
    throw new EntryError(`unexpected \`${word}\``, help);
  }
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
  if (words.takes('is')) {
    return {
      kind: 'is',
      relation: words.next('a relation', 'name a relation to `User`: `is reviewer`'),
    };
  }
  if (words.takes('shares')) {
    const help = 'name a model that has members: `shares Organisation`';
    return { kind: 'shares', model: words.next('a model', help) };
  }
  if (words.takes('via')) {
    const help = 'name a relation, and an operation where it is another one: `via team.update`';
    const [relation = '', written, ...more] = words.next('a relation', help, isPath).split('.');
    if (written === undefined) return { kind: 'via', relation };
    const operation = operations.find((name) => name === written);
    if (operation !== undefined && more.length === 0) return { kind: 'via', relation, operation };
    throw new EntryError(
      `\`${[written, ...more].join('.')}\` is not an operation`,
      `say what they may do there, one of ${operations.join(', ')}: \`via ${relation}.update\``,
    );
  }
  const word = words.next('who', 'say who is admitted: `owner if status = draft`', isValue);
  if (words.sees('(')) return { kind: 'members', word, roles: rolesIn(words) };
  return kinds.includes(word) ? { kind: 'members', word, roles: [] } : whoCalled(word);
}

/** `(manager, owner)` */
function rolesIn(words: Words): readonly string[] {
  const help =
    'write roles in parentheses, and inside of `[…]` the entry in quotes: `"member(manager, owner)"`';
  const names: string[] = [];
  while (words.takes('(') || words.takes(',')) names.push(words.next('a role', help));
  words.need(')', help);
  return names;
}

function readCondition(words: Words): readonly Comparison[] {
  const all = [parseComparison(words)];
  while (words.takes('and')) all.push(parseComparison(words));
  return all;
}

const conditionHelp = 'write a condition like `status = draft` or `closed_at is null`';

function parseComparison(words: Words): Comparison {
  const path = words.next('a field', conditionHelp, isPath).split('.');
  if (words.takes('is')) {
    const isNot = words.takes('not');
    words.need('null', conditionHelp);
    return { path, operator: isNot ? 'is not null' : 'is null', values: [] };
  }
  if (words.takes('in')) {
    const help =
      'write the values in parentheses, and inside of `[…]` the entry in quotes: `"owner if status in (draft, sent)"`';
    words.need('(', help);
    const values = [parseOperand(words)];
    while (words.takes(',')) values.push(parseOperand(words));
    words.need(')', help);
    return { path, operator: 'in', values };
  }
  const operator =
    signs.find((sign) => words.takes(sign)) ?? words.refuse('a comparison', conditionHelp);
  return { path, operator, values: [parseOperand(words)] };
}

function parseOperand(words: Words): Operand {
  const word = words.next('a value', conditionHelp, isLiteral);
  if (/^["']/.test(word)) return { kind: 'literal', text: word.slice(1, -1) };
  if (word === 'now') return { kind: 'now' };
  if (word === 'null')
    throw new EntryError('a comparison with null never holds', 'write `is null` or `is not null`');
  const [first, ...path] = word.split('.');
  if (first === 'me' && path.length > 0) return { kind: 'me', path };
  return { kind: 'literal', text: word };
}
