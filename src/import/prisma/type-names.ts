import { capitalized, spellModel } from '../../naming/name.ts';
import { takenEnums, typesMadeFor } from '../../schema/claimed-names.ts';
import type { PrismaBlock, PrismaEnum, PrismaModel } from './schema.ts';

export interface PrismaTypes {
  readonly models: ReadonlyMap<string, PrismaModel>;
  readonly enums: ReadonlyMap<string, PrismaEnum>;
}

/** Models and enums by their names, which begin with a capital letter here; the tables keep theirs. */
export function prismaTypesIn(blocks: readonly PrismaBlock[]): PrismaTypes {
  const models = blocks.filter((it) => it.kind === 'model');
  const enums = blocks.filter((it) => it.kind === 'enum');
  const enumNames = namesOfEnums(models, enums);
  const typeName = (name: string) => enumNames.get(name) ?? capitalized(name);
  const renamed = models.map((model) => {
    const fields = model.fields.map((it) => ({ ...it, type: typeName(it.type) }));
    return { ...model, name: capitalized(model.name), fields };
  });
  return {
    models: new Map(renamed.map((model) => [model.name, model])),
    enums: new Map(enums.map((it) => [typeName(it.name), it])),
  };
}

/** Our names for the enums: `status` may stand beside `Status` in Prisma, and `Page` is a type of the emitted code. */
function namesOfEnums(
  models: readonly PrismaModel[],
  enums: readonly PrismaEnum[],
): ReadonlyMap<string, string> {
  const ofModels = ['User', ...models.map(({ name }) => name)].flatMap((name) => {
    const { type, typePlural } = spellModel(capitalized(name));
    return [type, typePlural, ...typesMadeFor(type)];
  });
  const taken = new Set(ofModels.map(folded));
  const found = new Map<string, string>();
  // Names that can stay come first, so that the others give way to them.
  const ordered = enums.toSorted(
    (left, right) => Number(isCapital(right)) - Number(isCapital(left)),
  );
  for (const { name } of ordered) {
    let free = capitalized(name);
    while (takenEnums.has(free) || taken.has(folded(free))) free += 'Value';
    taken.add(folded(free));
    found.set(name, free);
  }
  return found;
}

const folded = (name: string) => name.toLowerCase();
const isCapital = ({ name }: { readonly name: string }) => name === capitalized(name);
