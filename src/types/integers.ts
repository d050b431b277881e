import type { Storage } from './field-type.ts';
import { printed, unlessLike } from './sql.ts';

/** Zero has no sign. */
const integer = '(0|-?[1-9][0-9]*)';

/** What all types have in common whose values are whole numbers. */
export const integerStorage = {
  sqlite: {
    column: () => 'integer',
    literal: String,
    from: {
      text: () => ({
        value: (it) => `CAST(${it} AS integer)`,
        fails: (it) => `${it} <> CAST(CAST(${it} AS integer) AS text)`,
      }),
    },
    to: { text: () => ({ value: (it) => `CAST(${it} AS text)` }) },
  },
  postgres: {
    column: () => 'bigint',
    literal: String,
    from: {
      text: ({ after }) => ({
        value: (it) => `${it}::${after.kind === 'int' ? 'integer' : 'bigint'}`,
        fails: unlessLike(integer, (it) =>
          isOutside(`${it}::numeric`, after.kind === 'int' ? 31 : 63),
        ),
      }),
    },
    to: { text: printed },
  },
} satisfies Readonly<Record<string, Storage>>;

function isOutside(number: string, bits: number): string {
  const limit = 2n ** BigInt(bits);
  return `${number} NOT BETWEEN -${limit} AND ${limit - 1n}`;
}
