import type { ConvertSql, TypeDefinition } from './field-type.ts';
import { wrongType } from './value-flaw.ts';
import { unchangedSql, copySql, castToText } from './sql.ts';

const fromText: ConvertSql = () => ({
  value: (it) => `${it} = 'true'`,
  failureSql: (it) => `${it} NOT IN ('true', 'false')`,
});
const noBitSql = (it: string) => `${it} NOT IN (0, 1)`;

export const bool: TypeDefinition = {
  reference: { written: 'bool', json: 'boolean', holds: '' },
  foreign: ['boolean'],
  ordered: 'number',
  limits: () => ({ min: '0', max: '1', scale: 0, isColumn: true }),
  read: (text) => (text === 'true' || text === 'false' ? text === 'true' : text),
  flawOf: (value) =>
    typeof value === 'boolean'
      ? undefined
      : { ...wrongType(value, '`true` or `false`'), help: 'write `true` or `false`' },
  typescript: 'boolean',
  call: 't.Bool',
  encoded: true,
  asText: { least: 4, most: 5 },
  family: 'bool',
  sqlite: {
    column: () => 'integer',
    literal: (value) => (value === true ? '1' : '0'),
    shape: (column) => `${column} IN (0, 1)`,
    from: { text: fromText, integer: () => ({ value: unchangedSql, failureSql: noBitSql }) },
    to: {
      text: () => ({ value: (it) => `CASE ${it} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END` }),
      integer: copySql,
    },
  },
  postgres: {
    column: () => 'boolean',
    literal: String,
    from: { text: fromText, integer: () => ({ value: (it) => `${it} = 1`, failureSql: noBitSql }) },
    to: { text: castToText, integer: () => ({ value: (it) => `${it}::integer` }) },
  },
  sample: () => true,
  examples: () => [true, false],
  wrong: 'yes',
};
