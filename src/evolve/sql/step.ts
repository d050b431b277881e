import { type Block, blocksSql } from './block.ts';

/** A part of a migration: one transaction, or what cannot be in one. */
export interface Step {
  /** Statements that are run one by one, and all of them again when one was interrupted. */
  readonly isAlone: boolean;
  readonly blocks: readonly Block[];
}

export function together(comment: string, statements: readonly string[]): Step {
  return { isAlone: false, blocks: [{ comments: [comment], statements }] };
}

/** A blank line, which no statement has inside, keeps them apart. */
export function alone(comment: string, statements: readonly string[]): Step {
  return {
    isAlone: true,
    blocks: statements.map((statement, index) => ({
      comments: index === 0 ? [comment] : [],
      statements: [statement],
    })),
  };
}

/** The runner knows steps by the lines that begin them; a migration of one transaction has none. */
export function stepsSql(steps: readonly Step[]): string {
  const texts = steps
    .map(({ isAlone, blocks }) => ({ isAlone, sql: blocksSql(blocks) }))
    .filter(({ sql }) => sql !== '');
  const [first, ...others] = texts;
  if (first === undefined) return '';
  if (others.length === 0 && !first.isAlone) return first.sql;
  return texts
    .map(({ isAlone, sql }, index) => {
      const kind = isAlone ? 'outside of a transaction' : 'one transaction';
      return `-- step ${index + 1} of ${texts.length}: ${kind}\n\n${sql}`;
    })
    .join('\n\n');
}
