import { spellModel, spellName } from '../../naming/name.ts';
import type { MomentColumn } from '../../types/found-columns.ts';
import { layouts, rowCounts } from '../../schema/internal-tables.ts';
import { guessAccess, openCircles } from '../access.ts';
import { isMost, momentColumn, withStorage } from '../storage.ts';
import type { Draft, DraftModel } from '../draft.ts';
import { caseOf, inColumn, timestampsOf } from '../naming.ts';
import type { Notebook } from '../notes.ts';
import type { Catalogue, FoundTable } from './catalogue.ts';
import { enumsIn } from './enums.ts';
import { convertGroups } from './groups.ts';
import { idOf, isJoin, modelNames } from './names.ts';
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
  for (const { kind, name } of others)
    notes.left(name, `${kind} ${name}`, 'it stays in the database');
  const tables = catalogue.tables.filter(({ name }) => {
    const isTool = ofTools.test(name);
    if (isTool && !isKnown) notes.left(name, `table ${name}`, 'another tool keeps it for itself');
    return !isTool && !internal.has(name);
  });
  const joins = tables.filter((table) => isJoin(table, tables));
  const kept = tables.filter((table) => !joins.includes(table));
  const names = modelNames(kept, joins);
  const columns = kept.flatMap((table) => table.columns.map(({ name }) => name));
  const naming = { api: caseOf(columns), columns: caseOf(columns) };
  const enums = enumsIn(catalogue, names.values(), notes);
  const inPostgres = catalogue.engine === 'postgres' ? kept : [];
  const bare = inPostgres.flatMap(bareIndexes);
  const scope = { catalogue, names, naming, notes, enums, joins, isBare: isMost(bare) };
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
      small: inPostgres.flatMap(smallIds),
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
  return id?.isCounted ? [id.type === 'integer'] : [];
}

function unorderedTexts({ columns }: FoundTable): readonly boolean[] {
  return columns.flatMap(({ collation }) => collation ?? []).map((it) => it === 'default');
}

function bareIndexes(table: FoundTable): readonly boolean[] {
  const id = idOf(table)?.name;
  const plain = table.indexes.filter(({ isUnique, method }) => !isUnique && method === 'btree');
  return plain.map(({ keys }) => !keys.some(({ column }) => column === id));
}

function convertTable(table: FoundTable, scope: Scope): DraftModel {
  const { naming, notes, names } = scope;
  const name = names.get(table.name) ?? table.name;
  const isUser = name === 'User';
  const rules = rulesOf(table);
  const id = idOf(table);
  const times = timesOf(table, notes);
  const deleted = softDeleteOf(table);
  const { relations, keys } = relationsOf(table, scope);
  noteKey(table, id, notes);
  if (deleted !== undefined) notes.exact();
  if (isUser) noteLacking(table, notes);
  const kept = [times.created, times.updated, deleted].flatMap((it) => it?.name ?? []);
  const own = id === undefined ? [] : [[id.name, 'id'] as const];
  const members = new Map([...own, ...kept.map((it) => [it, it] as const), ...keys]);
  const fields = convertFields(table, { ...scope, model: name, members, rules });
  const groups = convertGroups(table, {
    ...scope,
    model: name,
    fields,
    members,
    relations,
    deleted,
  });
  const usualTable = spellModel(name).snakePlural;
  return {
    name,
    description: table.comment,
    table: usualTable === table.name ? undefined : table.name,
    id: inColumn(
      kindOf(id, rules.columns.get(id?.name ?? '') ?? {}, {
        isUser,
        isKnown: isOurs(scope.catalogue),
      }),
      id?.name,
    ),
    timestamps: timestampsOf(times, naming, isUser),
    soft_delete: deleted?.name === spellName('deleted_at', naming.columns) ? true : deleted?.name,
    fields: groups.fields,
    relations: new Map([...groups.relations, ...pairsOf(table, scope, members.values())]),
    unique: groups.unique,
    indexes: groups.indexes,
    checks: convertChecks(table, { fields, members, rules, notes }),
  };
}
