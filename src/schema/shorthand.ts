import { findRelationHelp } from './foreign-words.ts';

/** A part of a short form and its offset. */
export interface ShortPart {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface PlacedFlaw {
  readonly at: ShortPart;
  readonly message: string;
  readonly help: string;
}

export interface ShortField {
  readonly type: ShortPart;
  /** The text between parentheses: a range, or the two numbers of a decimal. */
  readonly range?: ShortPart;
  readonly optional: boolean;
  readonly default?: ShortPart & { readonly quoted: boolean };
  readonly flags: readonly ShortPart[];
  readonly flaws: readonly PlacedFlaw[];
}

/** `type[(range)][?][ = default][ flags]`. Matches any text, so that mistakes can be reported. */
const fieldForm = new RegExp(
  [
    /^\s*(?<type>[^\s()?=[\],]*(?:\[\])?)/,
    /\s*(?:(?<open>\()(?<range>[^)]*)(?<close>\))?)?/,
    /\s*(?<optional>\?)?/,
    /\s*(?<list>\[[^\]]*\]?\??)?/,
    /\s*(?:(?<sign>=)\s*(?:(?<quoted>"(?:[^"\\]|\\.)*"(?=\s|$)|'[^']*'(?=\s|$))|(?<plain>[{[].*[\]}]|\S+))?)?/,
    /(?<rest>.*)$/,
  ]
    .map(({ source }) => source)
    .join(''),
  'ds',
);

export function parseShortField(text: string): ShortField {
  const parts = matchParts(fieldForm, text);
  const { type = emptyPart, range, close, optional, quoted, plain, rest = emptyPart } = parts;
  const words = [...rest.text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    text: word,
    from: rest.from + index,
    to: rest.from + index + word.length,
  }));
  const end = words.findIndex(({ text: word }) => /^[#=]/.test(word));
  const unescaped = quoted && unquoteScalar(quoted.text);
  return {
    type,
    ...(range && close && { range }),
    optional: optional !== undefined,
    ...(plain && { default: { ...plain, quoted: false } }),
    ...(quoted && { default: { ...quoted, text: unescaped ?? '', quoted: true } }),
    flags: end === -1 ? words : words.slice(0, end),
    flaws: shortFlaws({ ...parts, type, end: words[end] }, unescaped),
  };
}

/** `end`: the word after which nothing can be read. */
function shortFlaws(
  { type, open, close, list, sign, quoted, plain, end }: ReturnType<typeof matchParts>,
  unescaped: string | undefined,
): readonly PlacedFlaw[] {
  const flaws: readonly (readonly [ShortPart | false | undefined, string, string])[] = [
    [
      type?.text === '' && cutToFirst(type),
      'the type is missing',
      'begin with a type, like `string`',
    ],
    [
      close === undefined && open,
      'the parenthesis is never closed',
      'write a range like `string(3..160)`, `int(0..)` or `decimal(10,2)`',
    ],
    [
      list,
      '`[]` does not belong here',
      'write `string[]` or `int[]`; a list of rows is a relation, under `relations:`',
    ],
    [
      quoted === undefined && plain === undefined && sign,
      'no default follows the `=`',
      'write a value after it, like `= draft`, or remove it; `#` starts a comment: quote the line if the value has one',
    ],
    [
      unescaped === undefined && quoted,
      'this quoted text has an invalid escape',
      'escape as JSON does, or use single quotes',
    ],
    end?.text.startsWith('#')
      ? [end, 'there is no space before the `#` of a comment', 'put a space before it']
      : [
          end,
          'flags come after the default',
          'write `type = default flags`, like `string = draft index`',
        ],
  ];
  return flaws.flatMap(([at, message, help]) => (at ? [{ at, message, help }] : []));
}

const emptyPart: ShortPart = { text: '', from: 0, to: 0 };

const cutToFirst = (part: ShortPart): ShortPart => ({ ...part, to: part.from + 1 });

/** The named groups of a pattern with the flag `d`, with their offsets. */
export function matchParts(
  form: RegExp,
  text: string,
): { readonly [name: string]: ShortPart | undefined } {
  const spans = Object.entries(form.exec(text)?.indices?.groups ?? {});
  // A group that did not match has no offset, though its type has one.
  return Object.fromEntries(
    spans.flatMap(([name, span]) =>
      span ? [[name, { text: text.slice(...span), from: span[0], to: span[1] }]] : [],
    ),
  );
}

/** Undefined if the escapes are not those of JSON. */
function unquoteScalar(text: string): string | undefined {
  if (text.startsWith("'")) return text.slice(1, -1);
  try {
    return String(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const relationForm = /^\s*(?<to>[^\s?[\]=(]*)\s*(?<mark>\?|\[\s*\])?\s*(?<rest>.*)$/ds;

/** `User`, `User?` or `User[]` */
export function parseShortRelation(text: string) {
  const { to = emptyPart, mark, rest = emptyPart } = matchParts(relationForm, text.trimEnd());
  const optional = mark?.text === '?';
  const target = { to, optional, many: mark !== undefined && !optional };
  if (rest.text === '' && to.text !== '') return { ...target, flaw: undefined };
  const help =
    findRelationHelp(to.text) ??
    (rest.text === '?' && target.many
      ? 'a many-to-many relation may always be empty: write `Tag[]`'
      : 'write `User`, `User?` or `User[]`; anything more goes into the long form `{ to: User, … }`');
  const flaw =
    rest.text === ''
      ? { at: cutToFirst(to), message: 'the model is missing', help }
      : { at: rest, message: `\`${rest.text}\` does not belong here`, help };
  return { ...target, flaw };
}
