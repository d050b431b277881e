import { layouts, rowCounts } from '../../schema/internal-tables.ts';
import { guessAccess, openCircles } from '../access.ts';
import type { Draft } from '../draft.ts';
import { caseOf } from '../naming.ts';
import type { Notebook } from '../notes.ts';
import { isMost, withStorage } from '../storage.ts';
import { type Catalogue, type FoundTable, storedName, writtenOf } from './catalogue.ts';
import { enumsIn } from './enums.ts';
import { isJoin, modelNames } from './names.ts';
import { storageIn } from './storage.ts';
import { convertTable } from './table.ts';
import { hasColumn, isNameless, isOurs, rolesOf } from './user.ts';

/** A database in our language; what is not the same is in the notes. */
export function convertDatabase(catalogue: Catalogue, notes: Notebook): Draft {
  const tables = ownTables(catalogue, notes);
  const joins = tables.filter((table) => isJoin(table, tables));
  const kept = tables.filter((table) => !joins.includes(table));
  const names = modelNames(kept, joins);
  const naming = namingOf(kept);
  const enums = enumsIn(catalogue, names.values(), notes);
  const found = storageIn(catalogue.engine === 'postgres' ? kept : []);
  const [isBare, areSmall] = [isMost(found.bare), isMost(found.small)];
  const scope = { catalogue, names, naming, notes, enums, joins, isBare, areSmall };
  const drafts = kept.map((table) => convertTable(table, scope));
  const user = kept.find(({ name }) => names.get(name) === 'User');
  const used = enums.used();
  return withStorage(
    {
      database: catalogue.engine,
      naming,
      roles: user === undefined ? [] : rolesOf(user, catalogue, notes),
      userName: isNameless(user) ? 'optional' : undefined,
      password: isOurs(catalogue) && !hasColumn(user, 'password') ? false : undefined,
      enums: new Map(used.map(([name, { values }]) => [name, values])),
      models: guessAccess(openCircles(drafts, notes), notes),
    },
    {
      ...found,
      types: catalogue.engine === 'postgres' ? used.map(([of, { type }]) => [of, type]) : [],
    },
  );
}

/** What other tools keep for themselves. */
const ofTools =
  /^(?:_prisma_migrations|ar_internal_metadata|schema_migrations|schema_migration_steps|django_.*|knex_migrations.*|__drizzle_migrations|alembic_version|flyway_schema_history|sequelizemeta)$/i;

/** Those that models are made of, and pairs. */
function ownTables(catalogue: Catalogue, notes: Notebook): readonly FoundTable[] {
  const isKnown = isOurs(catalogue);
  const internal = new Set(isKnown ? layouts.flatMap((all) => all.map(({ name }) => name)) : []);
  const others = catalogue.others.filter(({ name }) => !(isKnown && name.includes(rowCounts)));
  for (const { kind, name, place = name } of others)
    notes.left(place, `${kind} ${name}`, 'it stays in the database');
  return catalogue.tables.filter((table) => {
    const { name } = table;
    const isTool = ofTools.test(name);
    const [place, what] = writtenOf(table);
    if (isTool && !isKnown) notes.left(place, `table ${what}`, 'it belongs to another tool');
    return !isTool && !internal.has(name);
  });
}

/** The case that most names of several words have. */
function namingOf(tables: readonly FoundTable[]) {
  const columns = tables.flatMap((table) => table.columns);
  return {
    api: caseOf(columns.map(({ name }) => name)),
    columns: caseOf(columns.map(storedName)),
  };
}
