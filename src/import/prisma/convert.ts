import { convertCatalogue } from '../convert/convert.ts';
import type { FoundTable } from '../catalogue.ts';
import type { Draft } from '../draft.ts';
import type { Notebook } from '../notes.ts';
import { columnsOf } from './columns.ts';
import { indexesOf, primaryKeyOf } from './keys.ts';
import { foreignKeysOf, joinsOf } from './relations.ts';
import type { PrismaBlock } from './schema.ts';
import { prismaTypesIn } from './type-names.ts';

/** A Prisma schema in our language; differences are in the notes. */
export function convertPrisma(blocks: readonly PrismaBlock[], notes: Notebook): Draft {
  const types = prismaTypesIn(blocks);
  const models = [...types.models.values()];
  for (const [name, { place, values }] of types.enums) {
    const isMapped = values.some((value) => value.stored !== value.name);
    const became = isMapped ? 'its values are those of the database' : undefined;
    notes.element(place, `enum ${name}`, became);
  }
  const tables = models.map((model): FoundTable => ({
    name: model.name,
    stored: model.table,
    written: [model.place, model.name],
    isJoin: false,
    comment: model.description,
    columns: columnsOf(model, types),
    primaryKey: primaryKeyOf(model),
    foreignKeys: foreignKeysOf(model, types.models),
    indexes: indexesOf(model),
    checks: [],
  }));
  const provider = blocks.find((it) => it.kind === 'datasource')?.provider;
  const catalogue = {
    engine: provider === 'sqlite' ? 'sqlite' : 'postgres',
    tables: [...tables, ...models.flatMap((model) => joinsOf(model, types.models))],
    enums: new Map(
      [...types.enums].map(([name, { values }]) => [name, values.map(({ stored }) => stored)]),
    ),
    enumTypes: new Map([...types.enums].map(([name, { type }]) => [name, type])),
    others: blocks.flatMap((it) => (it.kind === 'other' ? [{ ...it, kind: it.word }] : [])),
  } as const;
  return convertCatalogue(catalogue, notes);
}
