import type { DraftField, DraftModel, DraftRelation } from '../draft.ts';
import type { Notebook } from '../notes.ts';
import type { FoundColumn, FoundIndex, FoundTable } from './catalogue.ts';
import { conditionOf, isComparable, isMeasured } from './rules.ts';

interface GroupScope {
  readonly model: string;
  readonly fields: ReadonlyMap<string, DraftField>;
  /** What each column is in the schema: a field, a relation, a time, the id. */
  readonly members: ReadonlyMap<string, string>;
  readonly relations: ReadonlyMap<string, DraftRelation>;
  readonly deleted: FoundColumn | undefined;
  /** Whether most indexes are without the id. */
  readonly isBare: boolean;
  readonly notes: Notebook;
}

type Groups = Pick<DraftModel, 'fields' | 'relations' | 'unique' | 'indexes'>;

/** What is unique or indexed together; of one column, it is said at the field. */
export function convertGroups(table: FoundTable, scope: GroupScope): Groups {
  const fields = new Map(scope.fields);
  const relations = new Map(scope.relations);
  const unique: DraftModel['unique'][number][] = [];
  const indexes: DraftModel['indexes'][number][] = [];
  const [key, ...more] = table.primaryKey;
  const ofKey =
    key === undefined || (scope.members.get(key) === 'id' && more.length === 0)
      ? []
      : [asUnique('primary key', table.primaryKey)];
  for (const index of [...table.indexes, ...ofKey]) {
    const found = groupOf(index, table, scope);
    if (found === undefined) {
      scope.notes.left(
        table.name,
        `index ${index.name}`,
        'no index here does that; it stays in the database',
      );
      continue;
    }
    scope.notes.exact();
    const { names, where, isImplied } = found;
    const [first = '', second] = names;
    const [field, relation] = [fields.get(first), relations.get(first)];
    if (isImplied) continue;
    if (where !== undefined) (index.isUnique ? unique : indexes).push({ fields: names, where });
    else if (second === undefined && index.isUnique && field)
      fields.set(first, flagged(field, 'unique'));
    else if (second === undefined && index.isUnique && relation)
      relations.set(first, { ...relation, unique: true });
    else if (second === undefined && !index.isUnique && field)
      fields.set(first, flagged(field, 'index'));
    else if (second !== undefined || relation === undefined)
      (index.isUnique ? unique : indexes).push(names);
  }
  return { fields, relations, unique, indexes };
}

function asUnique(name: string, columns: readonly string[]): FoundIndex {
  const keys = columns.map((column) => ({ column, isDescending: false }));
  return { name, isUnique: true, keys, method: 'btree' };
}

const flagged = (field: DraftField, flag: 'unique' | 'index'): DraftField =>
  field.flags.includes(flag) || field.flags.includes('unique')
    ? field
    : { ...field, flags: [...field.flags, flag] };

/** Booleans and enums, whose names have a capital: as many rows as there are values are not meant to be unique. */
const hasFewValues = (type: string) => /^(?:bool|[A-Z])/.test(type);

/** Where it goes without saying, it is implied: a row is found by its id anyhow, a user by their address. */
function groupOf(index: FoundIndex, table: FoundTable, scope: GroupScope) {
  const { members, fields, deleted, model, isBare } = scope;
  if (index.method !== 'btree') return undefined;
  const keys = isBare ? index.keys : withoutId(index, members);
  const names = keys.map(({ column }) => members.get(column ?? ''));
  const known = names.flatMap((name, at) => {
    const type = fields.get(name ?? '')?.type ?? '';
    const isFlat =
      name !== undefined &&
      isComparable(type) &&
      !(index.isUnique && keys.length === 1 && hasFewValues(type));
    return isFlat ? [`${!index.isUnique && keys[at]?.isDescending ? '-' : ''}${name}`] : [];
  });
  if (known.length !== names.length) return undefined;
  const isImplied =
    index.isUnique && (known.join() === 'id' || (model === 'User' && known.join() === 'email'));
  if (index.where === undefined) return { names: known, isImplied };
  const terms = conditionOf(
    index.where,
    (column) => members.get(column),
    (name) => fields.get(name)?.type.startsWith('bool') === true,
  );
  const others = terms?.filter(
    ({ column, text }) =>
      !(
        index.isUnique &&
        deleted !== undefined &&
        column === deleted.name &&
        text.endsWith('is null')
      ),
  );
  const mayBeAsked = others?.every(({ name, asksOrder }) => {
    const type = fields.get(name)?.type ?? 'datetime';
    return asksOrder ? isMeasured(type) : isComparable(type);
  });
  if (others === undefined || mayBeAsked !== true || table.columns.length === 0) return undefined;
  if (others.length === 0) return { names: known, isImplied };
  return { names: known, where: others.map(({ text }) => text).join(' and '), isImplied: false };
}

/** Each of our indexes ends with the id, which goes without saying. */
function withoutId(
  { keys, isUnique }: FoundIndex,
  members: GroupScope['members'],
): FoundIndex['keys'] {
  const last = keys.at(-1);
  if (isUnique || keys.length < 2 || members.get(last?.column ?? '') !== 'id') return keys;
  return last?.isDescending === keys.at(-2)?.isDescending ? keys.slice(0, -1) : keys;
}
