import type { NameCase } from '../../naming/name.ts';
import type { Naming } from '../../schema/language.ts';
import { tablesByVersion, rowCounts } from '../../schema/internal-tables.ts';
import type { Notebook } from '../notes.ts';
import {
  type Catalogue,
  type FoundColumn,
  type FoundTable,
  storedName,
  placeOf,
} from '../catalogue.ts';
import { guessAccess, breakCircles } from './access.ts';
import { enumsIn } from './enums.ts';
import { isJoin, modelNames } from './names.ts';
import { storageIn, storedEnums, withUpdateRule } from './storage.ts';
import { convertTable } from './table.ts';
import { hasColumn, isNameless, isOurDatabase, listOwnRoles } from './user.ts';

/** A schema to be written. */
export type Draft = ReturnType<typeof convertCatalogue>;

/** Converts a database or a Prisma schema. Differences are noted. */
export function convertCatalogue(catalogue: Catalogue, notes: Notebook) {
  const tables = ownTables(catalogue, notes);
  const joins = tables.filter((table) => isJoin(table, tables));
  const kept = tables.filter((table) => !joins.includes(table));
  const names = modelNames(kept, joins);
  const naming = guessNaming(kept.flatMap(({ columns }) => columns));
  const enums = enumsIn(catalogue, names.values(), notes);
  const storage = storageIn(catalogue.engine === 'postgres' ? kept : []);
  const scope = { catalogue, names, naming, notes, enums, joins, storage };
  const drafts = kept.map((table) => convertTable(table, scope));
  const user = kept.find(({ name }) => names.get(name) === 'User');
  const used = enums.used();
  const types = catalogue.engine === 'postgres' ? used : [];
  const roles = user === undefined ? [] : listOwnRoles(user, catalogue, notes);
  const { indexes, ...columns } = storage;
  const stored = storedEnums(types.map(([of, { type }]) => [of, type]));
  const { models, on_update } = withUpdateRule(guessAccess(breakCircles(drafts, notes), notes));
  return {
    database: catalogue.engine,
    naming,
    storage: { ...columns, enums: stored, indexes, on_update },
    auth: {
      roles,
      name: isNameless(user) ? 'optional' : undefined,
      password: isOurDatabase(catalogue) && !hasColumn(user, 'password') ? false : undefined,
    },
    enums: new Map(used.map(([name, { values }]) => [name, values])),
    models,
  };
}

/** Tables of other tools. */
const toolTables =
  /^(?:_prisma_migrations|ar_internal_metadata|schema_migrations|schema_migration_steps|django_.*|knex_migrations.*|__drizzle_migrations|alembic_version|flyway_schema_history|sequelizemeta)$/i;

/** The tables that become models or join tables. */
function ownTables(catalogue: Catalogue, notes: Notebook): readonly FoundTable[] {
  const isKnown = isOurDatabase(catalogue);
  const internal = new Set(
    isKnown ? tablesByVersion.flatMap((all) => all.map(({ name }) => name)) : [],
  );
  const others = catalogue.others.filter(({ name }) => !(isKnown && name.includes(rowCounts)));
  for (const { kind, name, place = name } of others)
    notes.note('left', place, `${kind} ${name}`, 'it stays in the database');
  return catalogue.tables.filter((table) => {
    const { name } = table;
    const isTool = toolTables.test(name);
    const [place, what] = placeOf(table);
    if (isTool && !isKnown)
      notes.note('left', place, `table ${what}`, 'it belongs to another tool');
    return !isTool && !internal.has(name);
  });
}

const guessNaming = (columns: readonly FoundColumn[]): Naming => ({
  api: detectCase(columns.map(({ name }) => name)),
  columns: detectCase(columns.map(storedName)),
});

/** The case of most names with several words. */
function detectCase(names: readonly string[]): NameCase {
  const count = (form: RegExp) => names.filter((name) => form.test(name)).length;
  return count(/\p{Ll}\p{Lu}/u) > count(/_/) ? 'camel' : 'snake';
}
