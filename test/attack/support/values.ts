import { randomUUID } from 'node:crypto';
import type { Chance } from './chance.ts';
import { type Document, resolved, type Schema } from './document.ts';

/** Texts that have broken programs before. */
export const oddTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udc00',
  '\uffff',
  '\u202e\u2028\u2029\ufeff',
  'é'.normalize('NFD'),
  'İıſK',
  '🙂'.repeat(80),
  "' OR 1=1 --",
  '"; drop table users; --',
  '%00',
  '%',
  '_',
  '\\',
  '${7*7}{{7*7}}<%= 7 %>',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'true',
  'null',
  'NaN',
  'Infinity',
  '-0',
  '01',
  '1e3',
  '0x10',
  '+5',
  '٥',
  '9223372036854775807',
  '9223372036854775808',
  '1'.repeat(400),
  'a'.repeat(5000),
  '0000-00-00',
  '2026-02-30',
  '9999-12-31T23:59:59.999999999-23:59',
  '0001-01-01T00:00:00+14:00',
  'ré@exämple.test',
  'a@b',
  `${'a'.repeat(300)}@example.test`,
  'http://[::1',
  'https://ünï.example/ä?ö#ü',
  'javascript:alert(1)',
  '__proto__',
  'constructor',
  'then',
  'toString',
];

export const oddValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  -0,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  1e308,
  5e-324,
  [],
  {},
  [[]],
  [null],
  { '': '' },
  { toString: 1, valueOf: 2 },
  JSON.parse('{"then":"x","constructor":{"prototype":{"isAdmin":true}}}'),
  nested(20),
  Array.from({ length: 2000 }, (_, index) => index),
];

export function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

export function valueMaker(document: Document, chance: Chance) {
  const texts = ['plain', 'two words', 'ä ß 🙂', 'x'.repeat(60)] as const;

  const textOf = (schema: Schema): string => {
    const { format = '', pattern, minLength = 0, maxLength = 200, examples = [] } = schema;
    switch (format) {
      case 'email':
      case 'idn-email':
        return `${chance.oneIn(5) ? 'ré' : 'u'}${chance.below(1e9)}@example.test`;
      case 'uri':
      case 'iri':
        return chance.oneIn(5) ? 'https://ä.example/ö' : 'https://example.test/a?b=c#d';
      case 'int64':
        return String(chance.below(1e9) + 1);
      case 'date':
        return `20${10 + chance.below(80)}-0${1 + chance.below(9)}-1${chance.below(10)}`;
      case 'partial-time':
        return `1${chance.below(10)}:30:00`;
      case 'date-time':
        return `20${10 + chance.below(80)}-01-1${chance.below(10)}T10:00:00.000Z`;
      case 'uuid':
        return randomUUID();
      case 'byte':
        return 'aGVsbG8=';
      case 'password':
        return `correct horse ${chance.below(1000)}`;
    }
    if (pattern !== undefined) return likePattern(pattern, schema, chance);
    const given = examples[0];
    if (typeof given === 'string' && chance.oneIn(3)) return given;
    const text = `${chance.one(texts)} ${chance.below(1e6)}`.padEnd(minLength, '.');
    return [...text].slice(-maxLength).join('');
  };

  /** A value that the schema allows, more often than not. */
  return function valueOf(part: Schema): unknown {
    const schema = resolved(document, part);
    if (schema.anyOf !== undefined) return valueOf(chance.one(schema.anyOf) ?? {});
    if (schema.enum !== undefined) return chance.one(schema.enum);
    const types = [schema.type ?? []].flat();
    const type = types.includes('null') && chance.oneIn(4) ? 'null' : types[0];
    switch (type) {
      case 'null':
        return null;
      case 'boolean':
        return chance.oneIn(2);
      case 'integer':
      case 'number': {
        const { minimum = 0, maximum = minimum + 1000 } = schema;
        return Math.min(maximum, minimum + chance.below(Math.min(maximum - minimum + 1, 20)));
      }
      case 'array':
        return Array.from({ length: chance.below(3) }, () => valueOf(schema.items ?? {}));
      case 'object': {
        const { properties = {}, required = [] } = schema;
        const names = Object.keys(properties).filter(
          (name) => required.includes(name) || chance.oneIn(2),
        );
        return Object.fromEntries(names.map((name) => [name, valueOf(properties[name] ?? {})]));
      }
      default:
        return textOf(schema);
    }
  };
}

/** The patterns of the fixtures: decimals, and a few of their own. */
function likePattern(pattern: string, { examples = [] }: Schema, chance: Chance): string {
  const number = chance.below(100_000);
  const guesses = [
    String(examples[0] ?? ''),
    `${number % 9}.5`,
    String(number % 9),
    `word-${number}`,
    `AB-${number}`,
    `a${number}`,
  ];
  return guesses.find((guess) => new RegExp(pattern, 'u').test(guess)) ?? String(number);
}
