import { paragraphSql } from './sql-text.ts';

export interface SqlStep {
  /** How the runner applies it, as written in the first line of the step. */
  readonly way: string;
  readonly blocks: readonly Block[];
}

const oneTransaction = 'one transaction';

export function runTogether(comment: string, statements: readonly string[]): SqlStep {
  return runInTransaction([{ comments: [comment], statements }]);
}

export function runInTransaction(blocks: readonly Block[]): SqlStep {
  return { way: oneTransaction, blocks };
}

/** Statements run one by one, all of them again after an interruption; blank lines separate them. */
export function runAlone(comment: string, statements: readonly string[]): SqlStep {
  return {
    way: 'outside of a transaction',
    blocks: statements.map((statement, index) => ({
      comments: index === 0 ? [comment] : [],
      statements: [statement],
    })),
  };
}

/** An UPDATE of rows whose ids are from `$1` to `$2`, which finds nothing to do the second time. */
export function runInBatches(table: string, id: string, comment: string, update: string): SqlStep {
  const by = id === 'id' ? '' : ` by ${id}`;
  return {
    way: `in batches of ${table}${by}`,
    blocks: [{ comments: [comment], statements: [update] }],
  };
}

/** A transaction whose UPDATE must not be done twice. */
export function runAtOnce(table: string, comment: string, statements: readonly string[]): SqlStep {
  return { way: `at once for ${table}`, blocks: [{ comments: [comment], statements }] };
}

/** The runner knows steps by the lines that begin them; a migration of one transaction has none. */
export function stepsSql(steps: readonly SqlStep[]) {
  const texts = steps
    .map(({ way, blocks }) => ({ way, sql: blocksSql(blocks) }))
    .filter(({ sql }) => sql !== '');
  const isInSteps = texts.length > 1 || texts.some(({ way }) => way !== oneTransaction);
  const sql = texts.map((it, index) =>
    isInSteps ? `-- step ${index + 1} of ${texts.length}: ${it.way}\n\n${it.sql}` : it.sql,
  );
  return { sql: sql.join('\n\n'), isInSteps };
}

/** Statements that belong together, under the sentences that say why. */
export interface Block {
  readonly comments?: readonly string[];
  readonly statements: readonly string[];
}

export function blocksSql(blocks: readonly Block[]): string {
  return blocks
    .filter(({ statements }) => statements.length > 0)
    .map(({ comments = [], statements }) =>
      [...comments.map(paragraphSql), ...statements].join('\n'),
    )
    .join('\n\n');
}
