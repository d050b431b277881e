/** A part of a migration: one transaction, or statements that cannot be in one. */
export interface Step {
  readonly isAlone: boolean;
  readonly sql: string;
}

/** What stands before the first step belongs to it; SQL without steps is one transaction. */
export function readSteps(sql: string): readonly Step[] {
  return sql
    .split(/^(?=-- step (?!1 )\d+ of \d+: )/m)
    .map((text) => ({ isAlone: aloneHeading.test(text), sql: text }));
}

const aloneHeading = /^-- step \d+ of \d+: outside of a transaction/m;

/** One by one, because PostgreSQL makes one transaction of what it gets at once. */
export function readStatements(sql: string): readonly string[] {
  return sql.match(statement)?.filter((text) => text.trim() !== '') ?? [];
}

/** Quoted text and comments may hold a semicolon. */
const statement = /(?:'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|--.*|\/\*[\s\S]*?\*\/|[^;])+/g;
