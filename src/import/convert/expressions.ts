/** One of the conditions of an expression, all of which have to hold. */
export interface Term {
  /** `n >= v`, `length ( n ) between v and v`: `n` stands for a column, `v` for a value or a list of values. */
  readonly form: string;
  readonly columns: readonly string[];
  readonly values: readonly string[];
}

/** The terms of a CHECK or of the WHERE of an index. Undefined unless simple terms are joined with "and". */
export function parseTerms(expression: string): readonly Term[] | undefined {
  const words = withoutBrackets(splitExpression(expression));
  if (words.some(({ text, isName }) => !isName && text === 'or')) return undefined;
  return atAnd(words).map(parseTerm);
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

/** `'a'::character varying(20)[]` means `'a'`. */
const cast =
  /::(?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))?(?: (?:varying|precision))?(?:\([\d, ]+\))?(?: with(?:out)? time zone)?(?:\[\])*/;
const knownPieces =
  /'((?:[^']|'')*)'|"((?:[^"]|"")*)"|`([^`]*)`|\[(\w+)\]|(-?\d+(?:\.\d+)?)(?!\w)|([A-Za-z_][\w$]*)/;
const sign = /[<>=!]+|\S/;
const piece = new RegExp([cast, knownPieces, sign].map(({ source }) => source).join('|'), 'g');

function splitExpression(expression: string): readonly Word[] {
  return [...expression.matchAll(piece)].flatMap((found): readonly Word[] => {
    const [whole, text, double, back, boxed, number, word] = found;
    const name = double?.replaceAll('""', '"') ?? back ?? boxed;
    if (text !== undefined) return [{ text: text.replaceAll("''", "'"), isValue: true }];
    if (name !== undefined) return [{ text: name, isName: true }];
    if (number !== undefined) return [{ text: number, isValue: true }];
    if (word !== undefined) return [plainWord(word, expression.slice(found.index + whole.length))];
    return whole.startsWith('::') ? [] : [{ text: whole === '<>' ? '!=' : whole }];
  });
}

function plainWord(word: string, rest: string): Word {
  const small = word.toLowerCase();
  if (small === 'true' || small === 'false') return { text: small, isValue: true };
  if (reserved.has(small) || /^\s*[([]/.test(rest)) return { text: small };
  return { text: word, isName: true };
}

/** Removes brackets that change nothing in a chain of "and": all but those of a function or a list. */
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

/** Splits at "and", except at that of a BETWEEN. */
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

function parseTerm(words: readonly Word[]): Term {
  const form = words.map(({ text, isName, isValue }) => (isName ? 'n' : isValue ? 'v' : text));
  return {
    form: form.join(' ').replaceAll(/v(?: , v)+/g, 'v'),
    columns: words.filter(({ isName }) => isName).map(({ text }) => text),
    values: words.filter(({ isValue }) => isValue).map(({ text }) => text),
  };
}
