import type { ValueFlaw, TypedField, TypeDefinition, Json } from './field-type.ts';
import { findLengthFlawOf, wrongType } from './value-flaw.ts';
import { pickLengths } from './texts.ts';

export const bytes: TypeDefinition = {
  reference: { written: 'bytes', json: 'string, base64', holds: '' },
  foreign: ['blob', 'binary', 'bytea'],
  range: 'bytes',
  flawOf: bytesFlaw,
  typescript: 'string',
  call: 't.Bytes',
  encoded: true,
  family: 'bytes',
  sqlite: { column: () => 'blob', literal: (value) => `X'${convertToHex(value)}'` },
  postgres: { column: () => 'bytea', literal: (value) => `'\\x${convertToHex(value)}'` },
  sample: (field) => {
    const { min = 0, max = Infinity } = pickLengths(field);
    if (min <= 5 && max >= 5) return 'aGVsbG8=';
    return Buffer.alloc(Math.min(max, Math.max(min, 5))).toString('base64');
  },
  examples: (field) => {
    const { min = 0, max = Infinity } = pickLengths(field);
    return ['snow', 'harbour', 'fox'].map((word) =>
      Buffer.from(word.padEnd(min, '.').slice(0, max)).toString('base64'),
    );
  },
  wrong: '?',
};

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function bytesFlaw(value: Json, field: TypedField): ValueFlaw | undefined {
  if (typeof value !== 'string' || !base64.test(value)) {
    return wrongType(value, 'base64, like `aGVsbG8=`');
  }
  const size = Math.floor((value.replace(/=+$/, '').length * 3) / 4);
  return findLengthFlawOf(size, field, 'bytes');
}

function convertToHex(value: Json): string {
  return Buffer.from(String(value), 'base64').toString('hex');
}
