import { type Block, blocksSql } from './block.ts';

/** A part of a migration that is applied wholly or not at all. */
export interface Step {
  /** One statement that must not be in a transaction, and may be repeated when it was interrupted. */
  readonly isAlone: boolean;
  readonly blocks: readonly Block[];
}

export function together(statements: readonly string[]): Step {
  return { isAlone: false, blocks: [{ comments: [], statements }] };
}

export function alone(statement: string): Step {
  return { isAlone: true, blocks: [{ comments: [], statements: [statement] }] };
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
