import { MigrationError } from './history.ts';

export interface Statement {
  readonly text: string;
  /** Its first word, in capitals. */
  readonly verb: string;
  /** The word after that. */
  readonly next: string;
}

/** A comment, a string, a quoted name, a dollar-quoted string, a word, a semicolon, or any other sign. */
const token =
  /--[^\n]*|\/\*[^]*?\*\/|[eE]'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\$([A-Za-z_]\w*)?\$[^]*?\$\1\$|[A-Za-z_][\w$]*|[^]/g;

/** The statements of a script. The unquoted body of a trigger or function belongs to its statement. */
export function readStatements(sql: string): readonly Statement[] {
  const statements: Statement[] = [];
  let [text, words, isBody]: [string, string[], boolean] = ['', [], false];
  for (const [part] of sql.matchAll(token)) {
    text += part;
    if (/^[A-Za-z_][\w$]*$/.test(part)) words.push(part.toUpperCase());
    if (part !== ';') continue;
    isBody = isBody ? !closesBody(words) : opensBody(words);
    if (isBody) continue;
    statements.push(makeStatement(text, words));
    [text, words] = ['', []];
  }
  if (words.length > 0) statements.push(makeStatement(text, words));
  return statements;
}

/** `CREATE TRIGGER … BEGIN …;` continues until `END;`, and so does a function with BEGIN ATOMIC. */
function opensBody(words: readonly string[]): boolean {
  if (words[0] !== 'CREATE') return false;
  const begin = words.indexOf('BEGIN');
  const isTrigger = words.slice(0, 3).includes('TRIGGER');
  return begin !== -1 && (isTrigger || words[begin + 1] === 'ATOMIC');
}

/** Each `CASE` in a body has its own `END`. */
function closesBody(words: readonly string[]): boolean {
  const count = (word: string) => words.filter((it) => it === word).length;
  return count('END') > count('CASE');
}

function makeStatement(text: string, [verb = '', next = '']: readonly string[]): Statement {
  return { text, verb, next };
}

const endings = new Set(['BEGIN', 'START', 'COMMIT', 'END', 'ROLLBACK', 'ABORT']);

/** SQL that ends its own transaction could not be undone, nor would it be known what was applied. */
export function refuseTransactions(sql: string, who: string): void {
  const found = readStatements(sql).find(({ verb, next }) => endings.has(verb) && next !== 'TO');
  if (found === undefined) return;
  throw new MigrationError(
    `${who} \`${[found.verb, found.next].join(' ').trim()}\`, and is in a transaction already: remove that. Nothing was changed.`,
  );
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
