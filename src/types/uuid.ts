import type { TypeDefinition } from './field-type.ts';
import { requireForm } from './value-flaw.ts';
import { copySql, castToText, unlessLike, textLiteral } from './sql.ts';
import { textStorage } from './texts.ts';
import { someDays } from './times.ts';

export const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export const uuid: TypeDefinition = {
  reference: { written: 'uuid', json: 'string', holds: '' },
  foreign: ['guid'],
  unique: true,
  ordered: 'bytes',
  made: { word: 'uuid', code: 'newUuid()' },
  flawOf: requireForm(uuidPattern, 'a uuid, like `018f4e6a-7b8c-7d9e-8f00-112233445566`'),
  canonical: (value) => String(value).toLowerCase(),
  typescript: 'string',
  call: 't.Uuid',
  encoded: true,
  asText: { least: 36, most: 36 },
  family: 'uuid',
  sqlite: {
    ...textStorage.sqlite,
    shape: (column) => `length(${column}) = 36 AND ${column} NOT GLOB '*[^-0-9a-f]*'`,
    made: randomUuid(),
    from: {
      text: () => ({
        value: (it) => `lower(${it})`,
        failureSql: (it) =>
          `${it} NOT GLOB '????????-????-????-????-????????????' OR replace(${it}, '-', '') GLOB '*[^0-9a-fA-F]*' OR length(replace(${it}, '-', '')) <> 32`,
      }),
    },
    to: { text: copySql },
  },
  postgres: {
    column: () => 'uuid',
    literal: textLiteral,
    made: 'gen_random_uuid()',
    from: {
      text: () => ({
        value: (it) => `${it}::uuid`,
        failureSql: unlessLike('[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'),
      }),
    },
    to: { text: castToText },
  },
  sample: () => '01941f29-7c00-7000-8000-000000000000',
  examples: () => someDays.map((part) => `018f4e6a-7b8c-7d9e-8f00-1122334455${part}`),
  wrong: 'nothing',
};

/** Version 4: SQLite has no function for version 7. */
function randomUuid(): string {
  const variant = `substr('89ab', 1 + abs(random() % 4), 1)`;
  const tail = (first: string) => `${first} || substr(${hex(2)}, 2)`;
  const parts = [hex(4), hex(2), tail(`'4'`), tail(variant), hex(6)];
  return `lower(${parts.join(` || '-' || `)})`;
}

function hex(bytes: number): string {
  return `hex(randomblob(${bytes}))`;
}
