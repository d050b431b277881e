import { singularName, spellModel, spellName } from '../../naming/name.ts';
import type { DraftModel } from '../draft.ts';
import { type FoundTable, storedName } from '../catalogue.ts';
import { convertGroups } from './groups.ts';
import { idOfModel, noteKey } from './ids.ts';
import { findKeyColumn, legalName } from './names.ts';
import { convertJoins, convertRelations } from './relations.ts';
import { convertRules } from './rules.ts';
import type { ImportScope } from './scope.ts';
import { convertChecks, convertFields } from './table-fields.ts';
import { findSoftDelete, readTimes, convertTimestamps } from './times.ts';
import { noteLacking } from './user.ts';

/** Converts a table to a model, without access rules. */
export function convertTable(table: FoundTable, scope: ImportScope): DraftModel {
  const { naming, notes, names } = scope;
  const model = names.get(table.name) ?? table.name;
  const times = readTimes(table, scope);
  const deleted = findSoftDelete(table);
  const { relations, keys } = convertRelations(table, scope);
  noteKey(table, scope);
  if (deleted !== undefined) notes.exact();
  if (model === 'User') noteLacking(table, notes);
  const members = new Map([...builtInMembers(table, times, deleted), ...keys]);
  const taken = new Set([...members.values(), ...table.columns.map((it) => legalName(it.name))]);
  const rules = convertRules(table);
  const related = new Map([...relations, ...convertJoins(table, scope, taken)]);
  const of = { ...scope, model, members, rules, relations: related, deleted };
  const fields = convertFields(table, of);
  return {
    name: model,
    description: table.comment,
    ...tableNames(table, model),
    id: idOfModel(table, rules.columns, scope),
    timestamps: convertTimestamps(times, naming, model),
    soft_delete: deleted?.name === spellName('deleted_at', naming.columns) ? true : deleted?.name,
    ...convertGroups(table, { ...of, fields }),
    checks: convertChecks(table, { ...of, fields }),
  };
}

/** Columns that the schema does not declare as fields: the id and the times. */
function builtInMembers(
  table: FoundTable,
  { created, updated }: ReturnType<typeof readTimes>,
  deleted: ReturnType<typeof findSoftDelete>,
): readonly (readonly [column: string, member: string])[] {
  const id = findKeyColumn(table);
  return [
    ...(id === undefined ? [] : [[id.name, 'id'] as const]),
    ...[created, updated].flatMap((it) => (it ? [[it.column, it.name] as const] : [])),
    ...(deleted === undefined ? [] : [[deleted.name, deleted.name] as const]),
  ];
}

/** Only names that differ from those derived from the model's name. */
function tableNames(table: FoundTable, model: string): Pick<DraftModel, 'table' | 'plural'> {
  const usual = spellModel(model).snakePlural;
  const stored = storedName(table);
  return { table: usual === stored ? undefined : stored, plural: singularName(model) && usual };
}
