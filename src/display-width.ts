/** Columns that a text takes in a fixed-width font, as formatters count them. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  const single = pictograph.test(text) ? text.replace(emoji, '  ') : text;
  let columns = 0;
  for (const character of single) {
    if (/\p{Cc}|[\u0300-\u036f\ufe00-\ufe0f]/u.test(character)) continue;
    columns += isWide(character) ? 2 : 1;
  }
  return columns;
}

/** Whether a text is at most `limit` columns wide. No character is wider than two, so most texts need no measuring. */
export function fitsIn(limit: number, text: string): boolean {
  return text.length * 2 <= limit || displayWidth(text) <= limit;
}

/** Matches every text with an emoji. The exact expression takes long to compile. */
const pictograph = /[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3]/u;

const emoji = new RegExp('\\p{RGI_Emoji}', 'gv');

/** Whether a character is wide in Unicode's East Asian Width. */
const isWide = (character: string): boolean => wide.test(character);

const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6]|[\u{16fe0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;
