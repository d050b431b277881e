import { orderOperators } from '../../schema/check.ts';
import { fieldTypes } from '../../types/all.ts';
import type { DraftField, DraftGroup, DraftModel } from '../draft.ts';
import type { FoundIndex, FoundTable } from '../catalogue.ts';
import { partialCondition } from './rules.ts';
import type { TableScope } from './scope.ts';

type GroupScope = TableScope & Pick<DraftModel, 'fields'>;

/** Converts unique constraints and indexes. One of a single column becomes a flag of its field. */
export function convertGroups(table: FoundTable, scope: GroupScope) {
  const fields = new Map(scope.fields);
  const relations = new Map(scope.relations);
  const unique = new Map<string, DraftGroup>();
  const indexes = new Map<string, DraftGroup>();
  for (const index of [...table.indexes, ...keyAsIndex(table, scope)]) {
    const found = convertIndex(index, scope);
    if (found === undefined) {
      const written = index.written ?? [table.name, `index ${index.name}`];
      scope.notes.note('left', ...written, 'a schema cannot describe it; it stays in the database');
      continue;
    }
    if (index.isOfColumn !== true) scope.notes.exact();
    if (found.isImplied) continue;
    const { names, where } = found;
    const [first = '', second] = names;
    const isAlone = second === undefined && where === undefined;
    const [field, relation] = isAlone ? [fields.get(first), relations.get(first)] : [];
    if (field) fields.set(first, flagged(field, index.isUnique ? 'unique' : 'index'));
    else if (relation && index.isUnique) relations.set(first, { ...relation, unique: true });
    else if (relation === undefined) {
      const group = where === undefined ? names : { fields: names, where };
      (index.isUnique ? unique : indexes).set(JSON.stringify(group), group);
    }
  }
  for (const group of unique.keys()) indexes.delete(group);
  return { fields, relations, unique: [...unique.values()], indexes: [...indexes.values()] };
}

/** The primary key, unless it is that of the `id`. */
function keyAsIndex({ primaryKey }: FoundTable, { members }: GroupScope): readonly FoundIndex[] {
  const [key, ...more] = primaryKey;
  if (key === undefined || (members.get(key) === 'id' && more.length === 0)) return [];
  const keys = primaryKey.map((column) => ({ column, isDescending: false }));
  return [{ name: 'primary key', isUnique: true, keys, method: 'btree' }];
}

const flagged = (field: DraftField, flag: 'unique' | 'index'): DraftField =>
  field.flags.includes(flag) || field.flags.includes('unique')
    ? field
    : { ...field, flags: [...field.flags, flag] };

/** The id of a row and the email of a user are always unique, so constraints on them are implied. */
function convertIndex(index: FoundIndex, scope: GroupScope) {
  const { members, fields, model, storage } = scope;
  if (index.method !== 'btree') return undefined;
  const keys = storage.indexes === 'bare' ? index.keys : withoutId(index, members);
  const names = keys.flatMap(({ column, isDescending }) => {
    const name = members.get(column ?? '');
    if (name === undefined) return [];
    const { ordered, unique } = definitionOf(fields.get(name));
    // A schema refuses `unique` on a boolean or an enum, which would allow only a few rows.
    const mayBe = index.isUnique && keys.length === 1 ? unique === true : ordered !== undefined;
    return mayBe ? [`${!index.isUnique && isDescending ? '-' : ''}${name}`] : [];
  });
  if (names.length !== keys.length) return undefined;
  const where = index.where === undefined ? '' : conditionFor(index, index.where, scope);
  if (where === undefined) return undefined;
  if (where !== '') return { names, where, isImplied: false };
  return {
    names,
    isImplied: names.join() === 'id' || (model === 'User' && names.join() === 'email'),
  };
}

/** Keys, times and the id can be ordered. */
const definitionOf = (field: DraftField | undefined) => fieldTypes[field?.type.kind ?? 'datetime'];

/** The condition as a schema writes it; empty if it only excludes deleted rows, as our constraints do anyway. */
function conditionFor(
  { isUnique }: FoundIndex,
  where: string,
  { fields, members, deleted }: GroupScope,
): string | undefined {
  const terms = partialCondition(
    where,
    (column) => members.get(column),
    (name) => fields.get(name)?.type.kind === 'bool',
  );
  const others = terms?.filter(
    ({ column, asked }) => !(isUnique && column === deleted?.name && asked === 'is null'),
  );
  const mayBeAsked = others?.every(({ name, asked }) => {
    const { measured, ordered } = definitionOf(fields.get(name));
    return (orderOperators.some((it) => it === asked) ? measured : ordered) !== undefined;
  });
  return mayBeAsked === true ? others?.map(({ text }) => text).join(' and ') : undefined;
}

/** Our indexes all end with the id, so a schema leaves it out. */
function withoutId(
  { keys, isUnique }: FoundIndex,
  members: GroupScope['members'],
): FoundIndex['keys'] {
  const last = keys.at(-1);
  if (isUnique || keys.length < 2 || members.get(last?.column ?? '') !== 'id') return keys;
  return last?.isDescending === keys.at(-2)?.isDescending ? keys.slice(0, -1) : keys;
}
