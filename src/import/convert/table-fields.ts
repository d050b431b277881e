import { legalName } from './names.ts';
import { idsField, keyName, spellName } from '../../naming/name.ts';
import type { Naming } from '../../schema/language.ts';
import { columnName } from '../../schema/property-facts.ts';
import { fieldTypes } from '../../types/all.ts';
import { type DraftField, type DraftModel, spellDraftType } from '../draft.ts';
import { isPasswordHash } from '../password-hash.ts';
import { type FoundColumn, type FoundTable, columnPlace, storedName } from '../catalogue.ts';
import type { ColumnScope } from './column-types.ts';
import { convertDefault } from './defaults.ts';
import { postgresType } from './postgres-type.ts';
import { sqliteType } from './sqlite-type.ts';
import type { TableScope } from './scope.ts';
import { asPasswordHash, isBuiltIn, noteBuiltIn, replacedHash } from './user.ts';

/** Converts columns except keys, times and built-in ones. */
export function convertFields(
  table: FoundTable,
  scope: TableScope,
): ReadonlyMap<string, DraftField> {
  const { model, members, naming } = scope;
  const taken = namesInJson(scope.relations, naming);
  const fields = new Map<string, DraftField>();
  for (const column of table.columns.filter(({ name }) => !members.has(name))) {
    const { name } = column;
    if (model === 'User' && isBuiltIn(name, naming)) {
      noteBuiltIn(column, table, scope);
      members.set(name, name);
      continue;
    }
    const legal = legalName(name);
    const member = taken.has(legal.toLowerCase()) ? spellName(`${legal}_value`, naming.api) : legal;
    const field = convertColumn(column, { ...scope, table, member });
    if (field === undefined) continue;
    const isOther = columnName(member, naming) !== storedName(column);
    fields.set(member, { ...field, column: isOther ? storedName(column) : undefined });
    members.set(name, member);
  }
  return fields;
}

function namesInJson(relations: DraftModel['relations'], { api }: Naming): ReadonlySet<string> {
  const names = [...relations].map(([name, { many }]) => (many ? idsField : keyName)(name, api));
  return new Set(['id', ...names].map((name) => name.toLowerCase()));
}

/** `member`: the name in the schema. */
function convertColumn(
  column: FoundColumn,
  {
    model,
    table,
    member,
    ...scope
  }: TableScope & { readonly table: FoundTable; readonly member: string },
): DraftField | undefined {
  const { rules, catalogue, enums, notes } = scope;
  const { name, type } = column;
  const written = columnPlace(table, column);
  const found = makeField(column, {
    table,
    catalogue,
    rules: rules.columns.get(name) ?? {},
    enumFor: (values) => enums.enumName(values, { model, column: name, type }),
  });
  if (found === undefined) {
    notes.note('left', ...written, 'no field type can hold it');
    return undefined;
  }
  const isHash = model === 'User' && isPasswordHash(name);
  const field = isHash ? asPasswordHash(found.field) : found.field;
  const lost = [...found.lost, ...(isHash ? [replacedHash] : [])];
  const renamed = member === name ? undefined : `\`${member}\``;
  const changed = `\`${spellDraftType(field)}\`: ${lost.join('; ')}`;
  notes.note('changed', ...written, lost.length > 0 ? changed : renamed);
  return field;
}

/** A column as a field, and what is lost. Undefined if no field type can hold its values. */
function makeField(
  column: FoundColumn,
  scope: ColumnScope,
): { readonly field: DraftField; readonly lost: readonly string[] } | undefined {
  const isOfPostgres = scope.table.isStrict === undefined;
  const found = isOfPostgres ? postgresType(column, scope) : sqliteType(column, scope);
  if (found === undefined) return undefined;
  const initial = convertDefault(column, found);
  const lost = [
    found.lost,
    initial.lost,
    column.lost,
    column.isGenerated ? 'it is no longer computed' : undefined,
    column.isCaseless ? 'it becomes case-sensitive' : undefined,
  ];
  const { type, min, max } = found;
  const declared = { type, min, max, optional: column.nullable, default: initial.value };
  return {
    field: { ...declared, flags: [], description: column.comment },
    lost: lost.filter((it) => it !== undefined),
  };
}

export function convertChecks(
  table: FoundTable,
  { fields, members, rules, notes }: TableScope & Pick<DraftModel, 'fields'>,
): readonly string[] {
  const leave = (check: string) =>
    notes.note('left', table.name, `check (${check})`, 'it stays in the database');
  for (const check of rules.others) leave(check);
  return rules.checks.flatMap(({ left, operator, right }) => {
    const sides = [left, right].map((column) => members.get(column) ?? '');
    const [low, high] = sides.map((name) => fields.get(name)?.type);
    const isSame = low && high && spellDraftType({ type: low }) === spellDraftType({ type: high });
    if (isSame !== true || fieldTypes[low.kind].measured === undefined) {
      leave(`${left} ${operator} ${right}`);
      return [];
    }
    notes.exact();
    return [sides.join(` ${operator} `)];
  });
}
