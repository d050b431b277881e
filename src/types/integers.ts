import type { Convert, Storage } from './field-type.ts';
import { printed, unlessLike } from './sql.ts';

/** Zero has no sign. */
const integer = '(0|-?[1-9][0-9]*)';

const literal = String;
const sqliteCast: Convert = () => ({ value: (it) => `CAST(${it} AS text)` });

/** What all types have in common whose values are whole numbers. */
export const integerStorage = {
  sqlite: {
    column: () => 'integer',
    literal,
    from: {
      text: () => ({
        value: (it) => `CAST(${it} AS integer)`,
        fails: (it) => `${it} <> CAST(CAST(${it} AS integer) AS text)`,
      }),
    },
    to: { text: sqliteCast },
  },
  postgres: {
    column: () => 'bigint',
    literal,
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
