import { findForeignRelation } from './foreign-words.ts';

/** A piece of a short form with its offset. */
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
  /** Between the parentheses: a range, or the two numbers of a decimal. */
  readonly range?: ShortPart;
  readonly optional?: ShortPart;
  readonly default?: ShortPart & { readonly quoted: boolean };
  readonly flags: readonly ShortPart[];
  readonly flaws: readonly PlacedFlaw[];
}

/** `type[(range)][?][ = default][ flags]` */
export function parseShortField(text: string): ShortField {
  const flaws: PlacedFlaw[] = [];
  const scan = new Scanner(text);
  const type = scan.take(/[^\s()?=[\],]*(?:\[\])?/y);
  if (type.text === '') {
    const at = { ...type, to: type.from + 1 };
    flaws.push({ at, message: 'the type is missing', help: 'begin with a type, like `string`' });
  }
  scan.skip();
  const range = takeRange(scan, flaws);
  const optional = scan.find(/\s*\?/y);
  const list = scan.find(/\s*\[[^\]]*\]?\??/y);
  if (list !== undefined) {
    const help = 'write `string[]` or `int[]`; a list of rows is a relation, under `relations:`';
    flaws.push({ at: list, message: '`[]` does not belong here', help });
  }
  const value = takeDefault(scan, flaws);
  const flags = beforeDefault(scan.words(), flaws);
  return {
    type,
    ...(range === undefined ? {} : { range }),
    ...(optional === undefined ? {} : { optional }),
    ...(value === undefined ? {} : { default: value }),
    flags,
    flaws,
  };
}

/** A default after the flags, or a comment, is reported as such, and not as unknown flags. */
function beforeDefault(written: readonly ShortPart[], flaws: PlacedFlaw[]): readonly ShortPart[] {
  const comment = written.findIndex(({ text }) => text.startsWith('#'));
  const words = comment === -1 ? written : written.slice(0, comment);
  const hash = written[comment];
  if (hash !== undefined) {
    const message = 'there is no space before the `#` of a comment';
    flaws.push({ at: hash, message, help: 'put a space before it' });
  }
  const sign = words.findIndex(({ text }) => text.startsWith('='));
  const at = words[sign];
  if (at === undefined) return words;
  const help = 'write `type = default flags`, like `string = draft index`';
  flaws.push({ at, message: 'flags come after the default', help });
  return words.slice(0, sign);
}

/** `User`, `User?` or `User[]` */
export function parseShortRelation(text: string) {
  const scan = new Scanner(text);
  const to = scan.take(/[^\s?[\]=(]*/y);
  const mark = scan.find(/\s*(\[\s*\]|\?)/y)?.text.replaceAll(/\s/g, '') ?? '';
  const suffix = mark === '?' || mark === '[]' ? mark : '';
  const rest = scan.rest();
  if (rest.text === '' && to.text !== '') return { to, suffix, flaw: undefined };
  const help =
    helpForKind(to.text, rest.text) ??
    (rest.text === '?' && suffix === '[]'
      ? 'a many-to-many relation may always be empty: write `Tag[]`'
      : 'write `User`, `User?` or `User[]`; anything more goes into the long form `{ to: User, … }`');
  const at = rest.text === '' ? { ...to, to: to.from + 1 } : rest;
  const message =
    rest.text === '' ? 'the model is missing' : `\`${rest.text}\` does not belong here`;
  return { to, suffix, flaw: { at, message, help } };
}

/** Help for a relation that begins with its kind, as in `hasMany Post`. */
function helpForKind(word: string, rest: string): string | undefined {
  const kind = findForeignRelation(word);
  const [model = ''] = /^\w*/.exec(rest) ?? [];
  if (kind === 'many')
    return `write the relation in \`${model}\`; \`inverse\` there names this side of it`;
  return kind && `write \`${model}${kind === 'links' ? '[]' : ''}\``;
}

class Scanner {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  skip(): void {
    while (/\s/.test(this.#text.charAt(this.#offset))) this.#offset++;
  }

  find(pattern: RegExp): ShortPart | undefined {
    pattern.lastIndex = this.#offset;
    const length = pattern.exec(this.#text)?.[0].length ?? 0;
    if (length === 0) return undefined;
    this.skip();
    return this.#upTo(pattern.lastIndex);
  }

  take(pattern: RegExp): ShortPart {
    this.skip();
    return this.find(pattern) ?? this.#upTo(this.#offset);
  }

  rest(): ShortPart {
    this.skip();
    const all = this.#upTo(this.#text.length);
    const text = all.text.trimEnd();
    return { ...all, text, to: all.from + text.length };
  }

  words(): ShortPart[] {
    const found: ShortPart[] = [];
    for (let word = this.take(/\S+/y); word.text !== ''; word = this.take(/\S+/y)) found.push(word);
    return found;
  }

  startsWith(prefix: string): boolean {
    return this.#text.startsWith(prefix, this.#offset);
  }

  /** Up to the end of a JSON list or map, or of the text. */
  takeBalanced(): ShortPart {
    return this.#upTo(endOfJson(this.#text, this.#offset));
  }

  #upTo(to: number): ShortPart {
    const from = this.#offset;
    this.#offset = to;
    return { text: this.#text.slice(from, to), from, to };
  }
}

function takeRange(scan: Scanner, flaws: PlacedFlaw[]): ShortPart | undefined {
  const group = scan.find(/\([^)]*\)?/y);
  if (group === undefined) return undefined;
  const closed = group.text.endsWith(')');
  if (!closed) {
    flaws.push({
      at: { ...group, to: group.from + 1 },
      message: 'the parenthesis is never closed',
      help: 'write a range like `string(3..160)`, `int(0..)` or `decimal(10,2)`',
    });
    return undefined;
  }
  return { text: group.text.slice(1, -1), from: group.from + 1, to: group.to - 1 };
}

function takeDefault(
  scan: Scanner,
  flaws: PlacedFlaw[],
): (ShortPart & { quoted: boolean }) | undefined {
  const sign = scan.find(/\s*=/y);
  if (sign === undefined) return undefined;
  scan.skip();
  const quoted = scan.find(/"(?:[^"\\]|\\.)*"(?=\s|$)|'[^']*'(?=\s|$)/y);
  if (quoted !== undefined) return unquote(quoted, flaws);
  const json = scan.startsWith('{') || scan.startsWith('[');
  const value = json ? scan.takeBalanced() : scan.take(/\S+/y);
  if (value.text === '') {
    const help =
      'write a value after it, like `= draft`, or remove it; `#` starts a comment: quote the line if the value has one';
    flaws.push({ at: sign, message: 'no default follows the `=`', help });
    return undefined;
  }
  return { ...value, quoted: false };
}

function unquote(part: ShortPart, flaws: PlacedFlaw[]): ShortPart & { quoted: boolean } {
  if (part.text.startsWith("'")) return { ...part, text: part.text.slice(1, -1), quoted: true };
  try {
    return { ...part, text: String(JSON.parse(part.text)), quoted: true };
  } catch {
    const help = 'escape as JSON does, or use single quotes';
    flaws.push({
      at: part,
      message: 'this quoted text has an invalid escape',
      help,
    });
    return { ...part, text: part.text.slice(1, -1), quoted: true };
  }
}

function endOfJson(text: string, from: number): number {
  let depth = 0;
  let inText = false;
  for (let index = from; index < text.length; index++) {
    const character = text.charAt(index);
    if (inText && character === '\\') index++;
    else if (character === '"') inText = !inText;
    else if (!inText && (character === '{' || character === '[')) depth++;
    else if (!inText && (character === '}' || character === ']') && --depth === 0) return index + 1;
  }
  return text.length;
}
