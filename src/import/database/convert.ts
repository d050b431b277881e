import { singularName, spellModel, spellName } from '../../naming/name.ts';
import type { MomentColumn } from '../../types/found-columns.ts';
import { layouts, rowCounts } from '../../schema/internal-tables.ts';
import { guessAccess, openCircles } from '../access.ts';
import { isMost, momentColumn, withStorage } from '../storage.ts';
import type { Draft, DraftModel } from '../draft.ts';
import { caseOf, inColumn, timestampsOf } from '../naming.ts';
import { legalName } from '../legal-name.ts';
import type { Notebook } from '../notes.ts';
import { type Catalogue, type FoundTable, storedName } from './catalogue.ts';
import { enumsIn } from './enums.ts';
import { convertGroups } from './groups.ts';
import { idOf, isJoin, mayBeId, modelNames } from './names.ts';
import { pairsOf, relationsOf, type Scope } from './relations.ts';
import { rulesOf } from './rules.ts';
import { hasColumn, isNameless, isOurs, noteLacking, rolesOf } from './user.ts';
import { noteKey, kindOf, timesOf, softDeleteOf } from './kept-columns.ts';
import { convertFields, convertChecks } from './table-fields.ts';

/** What other tools keep for themselves. */
const ofTools =
  /^(?:_prisma_migrations|ar_internal_metadata|schema_migrations|schema_migration_steps|django_.*|knex_migrations.*|__drizzle_migrations|alembic_version|flyway_schema_history|sequelizemeta)$/i;

/** A database in our language; what is not the same is in the notes. */
export function convertDatabase(catalogue: Catalogue, notes: Notebook): Draft {
  const isKnown = isOurs(catalogue);
  const internal = new Set(isKnown ? layouts.flatMap((all) => all.map(({ name }) => name)) : []);
  const others = catalogue.others.filter(({ name }) => !(isKnown && name.includes(rowCounts)));
  for (const { kind, name, place = name } of others)
    notes.left(place, `${kind} ${name}`, 'it stays in the database');
  const tables = catalogue.tables.filter(({ name }) => {
    const isTool = ofTools.test(name);
    if (isTool && !isKnown) notes.left(name, `table ${name}`, 'another tool keeps it for itself');
    return !isTool && !internal.has(name);
  });
  const joins = tables.filter((table) => isJoin(table, tables));
  const kept = tables.filter((table) => !joins.includes(table));
  const names = modelNames(kept, joins);
  const columns = kept.flatMap((table) => table.columns);
  const naming = {
    api: caseOf(columns.map(({ name }) => name)),
    columns: caseOf(columns.map(storedName)),
  };
  const enums = enumsIn(catalogue, names.values(), notes);
  const inPostgres = catalogue.engine === 'postgres' ? kept : [];
  const bare = inPostgres.flatMap(bareIndexes);
  const small = inPostgres.flatMap(smallIds);
  const areSmall = isMost(small);
  const scope = { catalogue, names, naming, notes, enums, joins, isBare: isMost(bare), areSmall };
  const drafts = kept.map((table) => convertTable(table, scope));
  const user = kept.find(({ name }) => names.get(name) === 'User');
  return withStorage(
    {
      database: catalogue.engine,
      naming,
      roles: user === undefined ? [] : rolesOf(user, catalogue, notes),
      userName: isNameless(user) ? 'optional' : undefined,
      password: isKnown && !hasColumn(user, 'password') ? false : undefined,
      enums: new Map([...enums.used()].map(([name, { values }]) => [name, values])),
      models: guessAccess(openCircles(drafts, notes), notes),
    },
    {
      moments: inPostgres.flatMap(momentsIn),
      small,
      unordered: inPostgres.flatMap(unorderedTexts),
      bare,
      types:
        catalogue.engine === 'postgres' ? [...enums.used()].map(([of, it]) => [of, it.type]) : [],
    },
  );
}

function momentsIn({ columns }: FoundTable): readonly MomentColumn[] {
  return columns.flatMap(({ type }) => {
    const [, digits, zone] = /^timestamp(?:\((\d)\))? (with(?:out)?) time zone$/.exec(type) ?? [];
    return zone === undefined ? [] : [momentColumn(zone === 'with', digits)];
  });
}

function smallIds(table: FoundTable): readonly boolean[] {
  const id = idOf(table);
  return id !== undefined && /int/.test(id.type) ? [id.type === 'integer'] : [];
}

function unorderedTexts({ columns }: FoundTable): readonly boolean[] {
  return columns.flatMap(({ collation }) => collation ?? []).map((it) => it === 'default');
}

function bareIndexes(table: FoundTable): readonly boolean[] {
  const id = idOf(table)?.name;
  const plain = table.indexes.filter(({ isUnique, method }) => !isUnique && method === 'btree');
  // Prisma puts it nowhere by itself.
  const isBare = table.stored !== undefined;
  return plain.map(({ keys }) => isBare || !keys.some(({ column }) => column === id));
}

function convertTable(table: FoundTable, scope: Scope): DraftModel {
  const { naming, notes, names } = scope;
  const name = names.get(table.name) ?? table.name;
  const isUser = name === 'User';
  const rules = rulesOf(table);
  const id = idOf(table);
  const times = timesOf(table, scope);
  const deleted = softDeleteOf(table);
  const { relations, keys } = relationsOf(table, scope);
  noteKey(table, id, scope);
  if (deleted !== undefined) notes.exact();
  if (isUser) noteLacking(table, notes);
  const members = new Map([
    ...(id === undefined ? [] : [[id.name, 'id'] as const]),
    ...[times.created, times.updated].flatMap((it) => (it ? [[it.column, it.name] as const] : [])),
    ...(deleted === undefined ? [] : [[deleted.name, deleted.name] as const]),
    ...keys,
  ]);
  const taken = new Set([...members.values(), ...table.columns.map((it) => legalName(it.name))]);
  const pairs = pairsOf(table, scope, taken);
  const related = new Map([...relations, ...pairs]);
  const fields = convertFields(table, {
    ...scope,
    model: name,
    members,
    rules,
    relations: related,
  });
  const groups = convertGroups(table, {
    ...scope,
    model: name,
    fields,
    members,
    relations,
    deleted,
  });
  const usualTable = spellModel(name).snakePlural;
  const stored = storedName(table);
  return {
    name,
    description: table.comment,
    table: usualTable === stored ? undefined : stored,
    plural: singularName(name) && usualTable,
    id: inColumn(
      kindOf(id, rules.columns.get(id?.name ?? '') ?? {}, {
        isUser,
        isKnown: isOurs(scope.catalogue),
      }),
      id && mayBeId(id, table) ? storedName(id) : undefined,
    ),
    timestamps: timestampsOf(times, naming, isUser),
    soft_delete: deleted?.name === spellName('deleted_at', naming.columns) ? true : deleted?.name,
    fields: groups.fields,
    relations: new Map([...groups.relations, ...pairs]),
    unique: groups.unique,
    indexes: groups.indexes,
    checks: convertChecks(table, { fields, members, rules, notes }),
  };
}
