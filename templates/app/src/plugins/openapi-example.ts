/** What a schema says of a property, as far as an example needs it. */
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
  readonly 'x-minimum'?: string;
  readonly 'x-maximum'?: string;
  readonly 'x-minimum-bytes'?: number;
}

interface Shape {
  readonly properties: object;
  readonly required?: readonly string[];
}

/** An object that fits its shape, to be tried as it stands; `undefined` where a property's pattern allows no guess. */
export function exampleOf({ properties, required = [] }: Shape): object | undefined {
  const values = Object.entries<Property>({ ...properties })
    .map(([name, property]) => [name, exampleValue(name, property)] as const)
    .filter(([, value]) => value !== undefined);
  const names = new Set(values.map(([name]) => name));
  return required.every((name) => names.has(name)) ? Object.fromEntries(values) : undefined;
}

function exampleValue(name: string, property: Property): unknown {
  const { examples = [], default: initial, enum: values = [], type } = property;
  const [given = initial ?? values[0]] = examples;
  if (given !== undefined) return given;
  const [kind] = [type ?? []].flat();
  switch (kind) {
    case 'integer':
    case 'number':
      return numberOf(property);
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return [...textsOf(name, property)].find((text) => fits(text, property));
  }
}

function numberOf({ minimum, maximum }: Property): number {
  return Math.max(minimum ?? Math.min(1, maximum ?? 1), Math.min(1, maximum ?? 1));
}

/** What could stand there, the most telling first. */
function textsOf(name: string, property: Property): readonly string[] {
  const { format = '', pattern, minLength = 0, maxLength = 1000 } = property;
  const { 'x-minimum': least, 'x-maximum': most, 'x-minimum-bytes': bytes = 0 } = property;
  const bounds = [least ?? [], most ?? []].flat();
  if (bytes > 0) return [Buffer.alloc(bytes).toString('base64')];
  if (format in textsByFormat) return [...bounds, textsByFormat[format] ?? ''];
  const words = name.replaceAll('_', ' ');
  const label = words.charAt(0).toUpperCase() + words.slice(1);
  const text = label.padEnd(minLength, '.').slice(0, maxLength);
  return pattern === undefined ? [text] : [...bounds, ...numerals, text, text.toLowerCase()];
}

/** Decimals are texts of a pattern. */
const numerals = ['4.50', '4.5', '4', '0.50', '0.5', '0'];

function fits(text: string, { pattern, minLength = 0, maxLength = Infinity }: Property): boolean {
  const hasLength = text.length >= minLength && text.length <= maxLength;
  return hasLength && (pattern === undefined || new RegExp(pattern, 'u').test(text));
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
