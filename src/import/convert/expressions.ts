/** A condition of an expression; all of them have to hold. */
export interface Term {
  /** `n >= v`, `length ( n ) between v and v`: `n` is a column, `v` a value or a list of them. */
  readonly form: string;
  readonly columns: readonly string[];
  readonly values: readonly string[];
}

/** The terms of a CHECK, or of the WHERE of an index; undefined for anything but an "and" of simple terms. */
export function termsOf(expression: string): readonly Term[] | undefined {
  const words = withoutBrackets(withoutCasts(wordsIn(expression)));
  if (words.some(({ text, isName }) => !isName && text === 'or')) return undefined;
  return atAnd(words).map(termOf);
}

interface Word {
  /** SQL keywords are in lower case. */
  readonly text: string;
  readonly isName?: true;
  readonly isValue?: true;
}

const reserved = new Set(
  'and or not is null in any array between glob like collate unknown'.split(' '),
);
const sign = /[<>=!]+|::|[^\s\w]/y;
const one =
  /\s+|'((?:[^']|'')*)'|"((?:[^"]|"")*)"|`([^`]*)`|\[(\w+)\]|(-?\d+(?:\.\d+)?)(?!\w)|([A-Za-z_][\w$]*)/y;

function wordsIn(expression: string): readonly Word[] {
  const words: Word[] = [];
  let at = 0;
  while (at < expression.length) {
    one.lastIndex = at;
    sign.lastIndex = at;
    const found = one.exec(expression) ?? sign.exec(expression);
    if (found === null) return [];
    at += found[0].length;
    const [, text, double, back, boxed, number, word] = found;
    const name = double?.replaceAll('""', '"') ?? back ?? boxed;
    if (text !== undefined) words.push({ text: text.replaceAll("''", "'"), isValue: true });
    else if (name !== undefined) words.push({ text: name, isName: true });
    else if (number !== undefined) words.push({ text: number, isValue: true });
    else if (word !== undefined) words.push(plainWord(word, expression.slice(at)));
    else if (found[0].trim() !== '') words.push({ text: found[0] === '<>' ? '!=' : found[0] });
  }
  return words;
}

function plainWord(word: string, rest: string): Word {
  const small = word.toLowerCase();
  if (small === 'true' || small === 'false') return { text: small, isValue: true };
  if (reserved.has(small) || /^\s*[([]/.test(rest)) return { text: small };
  return { text: word, isName: true };
}

const typeWords = new Set(['varying', 'precision', 'without', 'with', 'time', 'zone']);

/** `'a'::character varying(20)[]` means just `'a'`. */
function withoutCasts(words: readonly Word[]): readonly Word[] {
  const kept: Word[] = [];
  let at = 0;
  while (at < words.length) {
    const word = words[at];
    at += 1;
    if (word?.text !== '::' || word.isValue) {
      if (word !== undefined) kept.push(word);
      continue;
    }
    at += 1;
    while (typeWords.has(words[at]?.text ?? '') && !words[at]?.isValue) at += 1;
    if (words[at]?.text === '(' && !words[at - 1]?.isValue) at = behind(words, at, ')');
    if (words[at]?.text === '[') at = behind(words, at, ']');
  }
  return kept;
}

function behind(words: readonly Word[], from: number, end: string): number {
  const at = words.findIndex(({ text }, index) => index > from && text === end);
  return at === -1 ? words.length : at + 1;
}

/** In a chain of "and", brackets change nothing, except those of a function or a list. */
function withoutBrackets(words: readonly Word[]): readonly Word[] {
  const open: boolean[] = [];
  return words.filter((word, at) => {
    if (word.isValue || word.isName) return true;
    if (word.text === '(') {
      const before = words[at - 1];
      const isCall =
        before !== undefined &&
        !before.isValue &&
        !before.isName &&
        /^\w+$/.test(before.text) &&
        !['and', 'or', 'not', 'is', 'between'].includes(before.text);
      open.push(isCall);
      return isCall;
    }
    return word.text === ')' ? open.pop() === true : true;
  });
}

/** The "and" of a BETWEEN belongs to it. */
function atAnd(words: readonly Word[]): readonly (readonly Word[])[] {
  const parts: Word[][] = [[]];
  let isBetween = false;
  for (const word of words) {
    const isPlain = !word.isName && !word.isValue;
    if (isPlain && word.text === 'and' && !isBetween) parts.push([]);
    else parts.at(-1)?.push(word);
    if (isPlain && word.text === 'between') isBetween = true;
    else if (isPlain && word.text === 'and') isBetween = false;
  }
  return parts;
}

function termOf(words: readonly Word[]): Term {
  const form = words.map(({ text, isName, isValue }) => (isName ? 'n' : isValue ? 'v' : text));
  return {
    form: form.join(' ').replaceAll(/v(?: , v)+/g, 'v'),
    columns: words.filter(({ isName }) => isName).map(({ text }) => text),
    values: words.filter(({ isValue }) => isValue).map(({ text }) => text),
  };
}
