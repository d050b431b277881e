import { type ModelNames, spellModel } from '../naming/name.ts';
import { type ModelSchema, plainUser, type Schema } from '../schema/schema.ts';

/** What other models need to know about a model before any of them is built. */
export interface Outline {
  readonly schema: ModelSchema;
  readonly names: ModelNames;
  readonly table: string;
  readonly idType: 'int' | 'uuid';
}

export type Outlines = ReadonlyMap<string, Outline>;

/** By the name in the schema; `User` first, whether or not the file speaks of it. */
export function outlineModels(schema: Schema): Outlines {
  const user = schema.models.find((model) => model.name.value === 'User') ?? plainUser;
  const others = schema.models.filter((model) => model.name.value !== 'User');
  return new Map([user, ...others].map((model) => [model.name.value, outlineModel(model)]));
}

function outlineModel(schema: ModelSchema): Outline {
  const names = spellModel(schema.name.value, schema.plural?.value);
  return {
    schema,
    names,
    table: schema.table?.value ?? names.snakePlural,
    idType: schema.id?.value ?? 'int',
  };
}
