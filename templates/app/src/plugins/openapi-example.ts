/** What a property says of itself, as far as an example needs it. */
interface Property {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Property;
}

/** An object that fits its schema, for people: the document's readers try it as it stands. */
export function exampleOf(properties: object): object {
  const entries = Object.entries<Property>({ ...properties }).map(([name, property]) => [
    name,
    exampleValue(name, property),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function exampleValue(name: string, property: Property): unknown {
  const { examples, default: initial, enum: values, type, format = '', pattern } = property;
  const [first] = [
    ...(examples ?? []),
    ...(initial === undefined ? [] : [initial]),
    ...(values ?? []),
  ];
  if (first !== undefined) return first;
  const [kind = 'string'] = [type ?? []].flat();
  if (kind === 'integer' || kind === 'number') return numberOf(property);
  if (kind === 'boolean') return true;
  if (kind === 'array') return [];
  if (kind === 'object') return {};
  if (pattern !== undefined) return numerals.find((text) => new RegExp(pattern).test(text));
  return textsByFormat[format] ?? textOf(name, property);
}

/** Decimals are texts of a pattern; for another pattern the schema file gives an example. */
const numerals = ['4.50', '4.5', '4', '0.50', '0'];

function numberOf({ minimum = 1, maximum = minimum }: Property): number {
  return Math.min(Math.max(1, minimum), Math.max(maximum, minimum));
}

/** `published_on` → `Published on` */
function textOf(name: string, { minLength = 0, maxLength = 1000 }: Property): string {
  const words = name.replaceAll('_', ' ');
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return text.padEnd(minLength, '.').slice(0, maxLength);
}

const textsByFormat: Readonly<Record<string, string>> = {
  email: 'ann@example.test',
  uri: 'https://example.com',
  int64: '1',
  date: '2026-01-31',
  'partial-time': '09:30:00',
  'date-time': '2026-01-31T09:30:00.000Z',
  uuid: '018f2f3e-7a5b-7c1d-9e2f-3a4b5c6d7e8f',
  byte: 'aGVsbG8=',
  password: 'correct horse battery',
};
