/** What a terminal would act on, or what would turn the order of the text around. */
const unsafe =
  /[\p{Control}\p{Surrogate}\p{Line_Separator}\p{Paragraph_Separator}\p{Bidi_Control}]/gu;

/** The text as one line that no terminal acts on: a tab is spaces, a control character its picture. */
export function visible(text: string): string {
  return text.replaceAll(unsafe, picture);
}

const tab = '    ';

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\t') return tab;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\uFFFD';
}

const nothing = /^[\p{Nonspacing_Mark}\p{Enclosing_Mark}\u200b-\u200d\u2060\ufeff]$/u;
const wide =
  /^[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]$/u;

/** Columns that a terminal gives to one visible character. */
export function widthOf(character: string): number {
  if (character < '\u0300') return 1;
  if (nothing.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
