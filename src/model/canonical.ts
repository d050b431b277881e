import type { FieldType, Json } from './app.ts';
import { formatScaled, scaleDecimal } from './decimal.ts';
import { sortKeys } from './sort-keys.ts';

/** A value of the schema file as the API would send it: the one form that code and SQL are given. */
export function canonicalValue(type: FieldType, value: Json): Json {
  if (type.kind === 'decimal') return canonicalDecimal(type.scale, value);
  return canonicalForms[type.kind]?.(value) ?? value;
}

const canonicalForms: Partial<Record<FieldType['kind'], (value: Json) => Json>> = {
  bigint: (value) => String(scaleDecimal(String(value), 0) ?? value),
  email: (value) => String(value).trim().toLowerCase().normalize('NFC'),
  uuid: (value) => String(value).toLowerCase(),
  time: canonicalTime,
  datetime: canonicalDatetime,
  // As a snapshot keeps it, so that what was remembered and what is written are one value.
  json: sortKeys,
};

function canonicalDecimal(scale: number, value: Json): Json {
  const scaled = scaleDecimal(String(value), scale);
  return scaled === undefined ? value : formatScaled(scaled, scale);
}

/** `09:30` → `09:30:00.000` */
function canonicalTime(value: Json): Json {
  const match = /^(\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?Z?$/.exec(String(value));
  if (match === null) return value;
  const [, minutes, seconds = '00', fraction = ''] = match;
  return `${minutes}:${seconds}.${fraction.padEnd(3, '0')}`;
}

/** A time without a zone is UTC, wherever the generator runs. */
function canonicalDatetime(value: Json): Json {
  const text = String(value).trim().replace(' ', 'T');
  const zoned = /(z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes('T') ? text : `${text}Z`;
  const time = Date.parse(zoned);
  return Number.isNaN(time) ? value : new Date(time).toISOString();
}
