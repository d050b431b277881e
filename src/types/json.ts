import { type TypeDefinition, type Json, sortKeys } from './field-type.ts';
import { copySql, castToText, readJson, textSql } from './sql.ts';

const jsonLiteral = (value: Json) => textSql(JSON.stringify(value));

export const json: TypeDefinition = {
  reference: {
    written: 'json',
    json: 'any JSON value',
    holds: 'numbers are 0, or between 1e-40 and 1e40 in absolute value',
  },
  foreign: ['jsonb', 'object', 'any', 'array', 'list', 'map'],
  read: readJson,
  flawOf: () => undefined,
  // Sorted as in a snapshot, so that equal values are equal texts.
  canonical: sortKeys,
  typescript: 't.JsonValue',
  call: 't.Json',
  encoded: true,
  family: 'json',
  sqlite: {
    column: () => 'text',
    literal: jsonLiteral,
    shape: (column) => `json_valid(${column})`,
    from: {
      text: () => ({ value: (it) => `CASE WHEN ${it} IS NOT NULL THEN json_quote(${it}) END` }),
    },
    to: { text: copySql },
  },
  postgres: {
    column: () => 'jsonb',
    literal: jsonLiteral,
    from: { text: () => ({ value: (it) => `to_jsonb(${it}::text)` }) },
    to: { text: castToText },
  },
  sample: () => ({ colour: 'red' }),
  examples: () => [{ colour: 'blue', sizes: [1, 2] }, { colour: 'green' }],
  wrong: null,
};
