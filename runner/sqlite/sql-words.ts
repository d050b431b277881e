/**
 * SQL in one spelling: ignores case, spacing, comments and the quotes of names, which also change when SQLite renames
 * something.
 */
export function sqlWords(sql: string): readonly string[] {
  return [...sql.matchAll(sqlWord)].flatMap(([text, name]) => {
    if (/^(\s|--|\/\*)/.test(text)) return [];
    if (text.startsWith("'")) return [text];
    return [(name ?? text).toLowerCase()];
  });
}

/** White space or a comment, a string, a quoted name, a word or number, or any other sign. */
const sqlWord =
  /\s+|--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|["`[]([^"`\]]*)["`\]]|[\w$.]+|[<>=!|]+|[^]/g;

export function joinWords(words: readonly string[]): string {
  return words.join(' ').replace(/ (?=[,)])|(?<=\() /g, '');
}

/** The expression of each CHECK. */
export function checksIn(sql: string): readonly string[] {
  const words = sqlWords(sql);
  return words.flatMap((it, index) => {
    if (it !== 'check' || words[index + 1] !== '(') return [];
    return [joinWords(bracket(words.slice(index + 2)))];
  });
}

function bracket(words: readonly string[]): readonly string[] {
  let depth = 1;
  const end = words.findIndex((word) => {
    if (word === '(') depth += 1;
    if (word === ')') depth -= 1;
    return depth === 0;
  });
  return words.slice(0, end);
}
