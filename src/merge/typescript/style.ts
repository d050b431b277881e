import type { Source, Token } from '../keyed/tree.ts';

/** The style that inserted lines have to follow. */
export interface CodeStyle {
  readonly quote: string;
  /** One step of indentation. */
  readonly unit: string;
  readonly semicolons: boolean;
}

export function measureStyle({ text, tokens }: Source): CodeStyle {
  const count = (quote: string) => tokens.filter(({ start }) => text[start] === quote).length;
  const ends = tokens.filter(({ start, end }) => start === end);
  const closed = ends.filter(({ end }) => text[end - 1] === ';').length;
  const open = ends.filter(
    ({ end }) => text[end] === '\n' && !/[;}]/.test(text[end - 1] ?? ''),
  ).length;
  return {
    quote: count('"') > count("'") ? '"' : "'",
    unit: measureIndent(text),
    semicolons: closed >= open,
  };
}

/** A tab, or the smallest indentation of any line. */
function measureIndent(text: string): string {
  const spaces = [...text.matchAll(/^([ \t]+)(?=[^\s*])/gm)].map(([, space]) => space ?? '');
  const tabs = spaces.filter((it) => it.startsWith('\t')).length;
  if (tabs > spaces.length / 2) return '\t';
  return ' '.repeat(Math.min(8, ...spaces.map(({ length }) => length)) % 8 || 2);
}

/** Rewrites a text in another style. */
export function restyle(source: Source, from: CodeStyle, to: CodeStyle): string {
  const { text, tokens } = source;
  const step = from.unit === to.unit ? undefined : { from: from.unit.length, to: to.unit };
  const space = (it: string) =>
    step ? it.replace(/\n( +)/g, (_, at: string) => indent(at, step)) : it;
  let printed = '';
  let offset = 0;
  for (const [index, { start, end }] of tokens.entries()) {
    printed += space(text.slice(offset, start));
    offset = end;
    const raw = text.slice(start, end);
    if (start === end) {
      // One semicolon may end two statements.
      const isThere = printed.endsWith(';') && !to.semicolons;
      if (isThere && isSpare(text, end, nextSolid(tokens, index))) printed = printed.slice(0, -1);
    } else if (raw.startsWith('/*')) printed += space(raw);
    else printed += /^['"]/.test(raw) ? requote(raw, to.quote) : raw;
  }
  return printed + space(text.slice(offset));
}

/** Spaces that are left over are alignment: the star of a comment. */
function indent(spaces: string, step: { readonly from: number; readonly to: string }): string {
  const depth = Math.floor(spaces.length / step.from);
  return `\n${step.to.repeat(depth)}${' '.repeat(spaces.length % step.from)}`;
}

function nextSolid(tokens: readonly Token[], index: number): Token | undefined {
  return tokens
    .slice(index + 1)
    .find(({ text, start, end }) => end > start && !/^\/[/*]/.test(text));
}

/** Whether a semicolon can be left out because of the line end after it. */
function isSpare(text: string, offset: number, next: Token | undefined): boolean {
  return (
    text[offset - 1] === ';' &&
    (text[offset] ?? '\n') === '\n' &&
    !/^[([`+\-/*]/.test(next?.text ?? '')
  );
}

function requote(raw: string, quote: string): string {
  const inside = raw.slice(1, -1);
  return raw[0] === quote || /['"\\]/.test(inside) ? raw : quote + inside + quote;
}
