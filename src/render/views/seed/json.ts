import type { Json } from '../../../model/app.ts';
import { singular } from '../../../naming/plural.ts';
import { tsCall, tsKey, tsValue } from '../../typescript.ts';
import { textNamed } from './texts.ts';

/** JSON of the kind of a default or an example; `name` says what its texts are about. */
export function jsonLike(shape: Json | undefined, name: string): string {
  if (shape === undefined || shape === null) return '{ note: faker.hacker.phrase() }';
  if (typeof shape === 'string') return textNamed(name);
  if (typeof shape === 'boolean') return tsCall('faker.datatype.boolean');
  if (typeof shape === 'number') return tsCall('faker.number.int', '{ max: 100 }');
  if (isList(shape)) return listLike(shape, name);
  const members = Object.entries(shape).map(
    ([key, part]) => `${tsKey(key)}: ${part === null ? 'null' : jsonLike(part, key)}`,
  );
  return members.length === 0 ? jsonLike(undefined, name) : `{ ${members.join(', ')} }`;
}

/** Some of the values, or words where there are none. */
function listLike(values: readonly Json[], name: string): string {
  if (values.length > 0) return tsCall('faker.helpers.arrayElements', tsValue(values));
  const word = `() => ${textNamed(singular(name))}`;
  return tsCall('faker.helpers.multiple', word, '{ count: { min: 0, max: 3 } }');
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
