import { paragraphSql } from './sql-text.ts';

/** Statements that belong together, under the sentences that say why. */
export interface Block {
  readonly comments: readonly string[];
  readonly statements: readonly string[];
}

export function blocksSql(blocks: readonly Block[]): string {
  return blocks
    .filter(({ statements }) => statements.length > 0)
    .map(({ comments, statements }) => [...comments.map(paragraphSql), ...statements].join('\n'))
    .join('\n\n');
}
