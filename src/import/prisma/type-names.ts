import { capitalized, spellModel } from '../../naming/name.ts';
import { takenEnums, typesMadeFor } from '../../schema/claimed-names.ts';
import type { PrismaSchema } from './schema.ts';

/** Gives models and enums names with a capital letter. Tables keep their names. */
export function withCapitals(schema: PrismaSchema): PrismaSchema {
  const enumNames = namesOfEnums(schema);
  const typeName = (name: string) => enumNames.get(name) ?? capitalized(name);
  const models = schema.models.map((model) => ({
    ...model,
    name: capitalized(model.name),
    fields: model.fields.map((it) => ({ ...it, type: typeName(it.type) })),
  }));
  const enums = schema.enums.map((it) => ({ ...it, name: typeName(it.name) }));
  return { ...schema, models, enums };
}

/** New names for enums that would collide: `status` beside `Status`, or `Page`, which emitted code uses. */
function namesOfEnums({ models, enums }: PrismaSchema): ReadonlyMap<string, string> {
  const ofModels = ['User', ...models.map(({ name }) => name)].flatMap((name) => {
    const { type, typePlural } = spellModel(capitalized(name));
    return [type, typePlural, ...typesMadeFor(type)];
  });
  const taken = new Set(ofModels.map((it) => it.toLowerCase()));
  const found = new Map<string, string>();
  // Names that can stay come first, so that the others avoid them.
  const ordered = enums.toSorted(
    (left, right) => Number(isCapital(right)) - Number(isCapital(left)),
  );
  for (const { name } of ordered) {
    let free = capitalized(name);
    while (takenEnums.has(free) || taken.has(free.toLowerCase())) free += 'Value';
    taken.add(free.toLowerCase());
    found.set(name, free);
  }
  return found;
}

const isCapital = ({ name }: { readonly name: string }) => name === capitalized(name);
