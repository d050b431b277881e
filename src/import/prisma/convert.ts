import { convertCatalogue, type Draft } from '../convert/convert.ts';
import type { Catalogue, FoundTable } from '../catalogue.ts';
import type { Notebook } from '../notes.ts';
import { listColumns } from './columns.ts';
import { listIndexes, readPrimaryKey } from './keys.ts';
import { listForeignKeys, listJoins } from './relations.ts';
import type { PrismaSchema } from './schema.ts';
import { withCapitals } from './type-names.ts';
import { storedValue } from './values.ts';

/** Converts a Prisma schema. Differences are noted. */
export function convertPrisma(written: PrismaSchema, notes: Notebook): Draft {
  const schema = withCapitals(written);
  for (const { name, place, values } of schema.enums) {
    const isMapped = values.some(({ stored }) => stored !== undefined);
    const became = isMapped ? 'its values are those of the database' : undefined;
    notes.note('changed', place, `enum ${name}`, became);
  }
  return convertCatalogue(buildCatalogue(schema), notes);
}

/** The tables that Prisma makes, with the names of models and fields. */
function buildCatalogue(schema: PrismaSchema): Catalogue {
  const models = new Map(schema.models.map((model) => [model.name, model]));
  const tables = schema.models.map((model): FoundTable => ({
    name: model.name,
    stored: model.stored,
    written: [model.place, model.name],
    isJoin: false,
    comment: model.description,
    columns: listColumns(model, schema),
    primaryKey: readPrimaryKey(model),
    foreignKeys: listForeignKeys(model, models),
    indexes: listIndexes(model),
    checks: [],
  }));
  return {
    engine: schema.provider === 'sqlite' ? 'sqlite' : 'postgres',
    tables: [...tables, ...schema.models.flatMap((model) => listJoins(model, models))],
    enums: new Map(schema.enums.map(({ name, values }) => [name, values.map(storedValue)])),
    enumTypes: new Map(schema.enums.map(({ name, type }) => [name, type])),
    others: schema.others,
  };
}
