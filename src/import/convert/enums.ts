import { typeNameLike } from '../../naming/name.ts';
import { singular } from '../../naming/plural.ts';
import { takenEnums } from '../../schema/claimed-names.ts';
import type { Notebook } from '../notes.ts';
import type { Catalogue } from '../catalogue.ts';

/** Enums of a database keep their names. Values in a check are named after the column. */
export function enumsIn(
  { enums, enumTypes }: Catalogue,
  models: Iterable<string>,
  notes: Notebook,
) {
  const taken = new Set([...takenEnums, ...models]);
  /** With the type of the database, if it has one. */
  const named = new Map<string, { values: readonly string[]; type: string | undefined }>();
  const enumName = (
    values: readonly string[],
    { model, column, type }: Readonly<Record<'model' | 'column' | 'type', string>>,
  ): string => {
    const own = enums.has(type) ? (enumTypes?.get(type) ?? type) : undefined;
    const known = [...named].find(
      ([, it]) => it.type === own && it.values.join('\n') === values.join('\n'),
    )?.[0];
    if (known !== undefined) return known;
    const base = enumTypes?.has(type) ? type : spellEnumName(own ?? singular(column));
    const free = [base, model + base, `${model}${base}Value`].find(
      (name) => !named.has(name) && !taken.has(name),
    );
    const name = free ?? `${model}${base}${named.size}`;
    if (own !== undefined && enumTypes === undefined) notes.exact();
    named.set(name, { values, type: own });
    return name;
  };
  const places = [...enums.keys()];
  const used = () =>
    enumTypes === undefined
      ? [...named]
      : [...named].toSorted(([one], [other]) => places.indexOf(one) - places.indexOf(other));
  return { enumName, used };
}

const spellEnumName = (name: string) => typeNameLike(name).replace(/^\d+/, '') || 'Value';
