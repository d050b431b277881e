import { isComparable } from '../database/rules.ts';
import type { DraftField } from '../draft.ts';
import { legalName } from '../legal-name.ts';
import type { Notebook } from '../notes.ts';
import { mayBeUnique } from './fields.ts';
import type { PrismaAttribute, PrismaModel } from './schema.ts';
import { attribute, namesOf, textOf } from './values.ts';

interface GroupScope {
  readonly fields: ReadonlyMap<string, DraftField>;
  readonly keys: ReadonlyMap<string, string>;
  /** What is there anyhow: the id, the times, and what each user has. */
  readonly kept: readonly string[];
  readonly notes: Notebook;
  readonly extra?: readonly string[] | undefined;
}

/** What is unique or indexed together; of one column, it is said at the field. */
export function groupsOf(model: PrismaModel, { fields, keys, kept, notes, extra }: GroupScope) {
  const flagged = new Map(fields);
  const uniqueKeys = new Set<string>();
  const groups = {
    unique: new Map<string, readonly string[]>(),
    indexes: new Map<string, readonly string[]>(),
  };
  const memberOf = (column: string) =>
    keys.get(column) ?? [legalName(column)].find((name) => fields.has(name) || kept.includes(name));
  const add = (
    kind: 'unique' | 'indexes',
    found: PrismaAttribute,
    columns: ReturnType<typeof namesOf>,
  ) => {
    const what = `${model.name} @@${found.name}([${columns.map(({ name }) => name).join(', ')}])`;
    const members = columns.map(({ name }) => memberOf(name));
    const [first] = members;
    // A user is found by their address anyhow.
    if (model.name === 'User' && columns.map(({ name }) => name).join() === 'email') {
      notes.exact();
      return;
    }
    const usual = textOf(found.named.get('type')) ?? 'BTree';
    const isPlain = members.every(
      (it) => it !== undefined && isComparable(fields.get(it)?.type ?? ''),
    );
    if (first === undefined || !isPlain || usual !== 'BTree') {
      notes.left(found.place, what, 'no index here does that');
      return;
    }
    notes.exact();
    const field = fields.get(first);
    const flag = kind === 'unique' ? 'unique' : 'index';
    if (columns.length === 1 && first === 'id') return;
    if (columns.length > 1 || kept.includes(first)) {
      const signs = columns.map(({ isDescending }) =>
        isDescending && kind === 'indexes' ? '-' : '',
      );
      const names = members.map((name, index) => `${signs[index]}${name}`);
      groups[kind].set(names.join(), names);
    } else if (field === undefined) {
      if (kind === 'unique') uniqueKeys.add(first);
    } else if (flag === 'unique' && !mayBeUnique(field.type)) {
      notes.left(found.place, what, 'a field of this type cannot be unique');
    } else if (!field.flags.includes('unique') && !field.flags.includes(flag)) {
      flagged.set(first, { ...field, flags: [...field.flags, flag] });
    }
  };
  for (const found of model.attributes) {
    const columns = namesOf(found.values[0] ?? found.named.get('fields'));
    if (found.name === 'unique') add('unique', found, columns);
    if (found.name === 'index') add('indexes', found, columns);
    if (found.name === 'fulltext')
      notes.left(found.place, `${model.name} @@fulltext`, 'no index here does that');
  }
  // What users have anyhow has no field to say it at.
  for (const field of model.fields.filter(({ name }) => kept.includes(name) && name !== 'email')) {
    const found = attribute(field, 'unique');
    if (found) add('unique', found, [{ name: field.name, isDescending: false }]);
  }
  if (extra !== undefined) {
    const key = { name: 'id', place: model.place, values: [], named: new Map() };
    add(
      'unique',
      key,
      extra.map((name) => ({ name, isDescending: false })),
    );
  }
  const isFree = (names: readonly string[]) => !groups.unique.has(names.join());
  const indexes = [...groups.indexes.values()].filter(isFree);
  return { fields: flagged, uniqueKeys, unique: [...groups.unique.values()], indexes };
}
