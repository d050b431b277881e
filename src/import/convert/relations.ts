import { keyName, linkColumn, spellModel, spellName, uncapitalized } from '../../naming/name.ts';
import { columnName } from '../../schema/property-facts.ts';
import type { DraftRelation } from '../draft.ts';
import type { Notebook } from '../notes.ts';
import { type FoundKey, type FoundTable, type ItemInSource, storedName } from '../catalogue.ts';
import { withoutKeyEnding, leadsToId, legalName } from './names.ts';
import type { ImportScope } from './scope.ts';

/** The relations of a table, and their names by those of their key columns. */
export function convertRelations(table: FoundTable, scope: ImportScope) {
  const { notes } = scope;
  const relations = new Map<string, DraftRelation>();
  const keys = new Map<string, string>();
  for (const key of table.foreignKeys) {
    const column = table.columns.find(({ name }) => name === key.columns[0]);
    const to = scope.names.get(key.table);
    const why = obstacle(key, scope) ?? (keys.has(column?.name ?? '') ? sameKey : undefined);
    if (why !== undefined || to === undefined || column === undefined) {
      noteLeft(key, table, { why: why ?? 'there is no such column', notes });
      continue;
    }
    const { name, usual } = nameRelation(key, column.name, { ...scope, to, table, relations });
    const stored = storedName(column);
    // The relation's own id is that of its row.
    const became = stored === 'id' ? `its column is called \`${usual}\`` : undefined;
    notes.note('changed', ...writtenKey(key, table), became);
    keys.set(column.name, name);
    relations.set(name, {
      to,
      ...(column.nullable && { optional: true as const }),
      ...(key.onDelete === 'cascade' && { on_delete: 'cascade' as const }),
      ...(key.onDelete === 'set null' && column.nullable && { on_delete: 'set_null' as const }),
      on_update: key.onUpdate === 'cascade' ? 'cascade' : 'restrict',
      inverse: key.inverse?.name,
      description: key.comment,
      ...(!isIndexed(column.name, table) && { index: false as const }),
      ...(![usual, 'id'].includes(stored) && { column: stored }),
    });
  }
  return { relations, keys };
}

const sameKey = 'another relation has the same key';

function obstacle(key: FoundKey, { catalogue, names }: ImportScope): string | undefined {
  if (key.columns.length > 1) return 'its key has several columns';
  if (names.has(key.table) && leadsToId(key, catalogue.tables)) return undefined;
  const targets = key.targets.join(', ') || 'the key';
  return `it leads to \`${targets}\` of ${key.table}, which is not its \`id\``;
}

function noteLeft(
  key: FoundKey,
  table: FoundTable,
  { why, notes }: { readonly why: string; readonly notes: Notebook },
): void {
  notes.note('left', ...writtenKey(key, table), `${why}; its columns are kept as fields`);
  if (key.inverse) notes.note('left', ...key.inverse.written, 'its other side is left out');
}

const writtenKey = (
  { columns, table: target, written }: FoundKey,
  table: FoundTable,
): ItemInSource => written ?? [table.name, `foreign key (${columns.join(', ')}) to ${target}`];

/** Whether an index or the primary key begins with a column. */
function isIndexed(column: string, { primaryKey, indexes }: FoundTable): boolean {
  const isFirst = indexes.some(
    ({ keys: [first], where, method }) =>
      first?.column === column && where === undefined && method === 'btree',
  );
  return isFirst || primaryKey[0] === column;
}

/**
 * `author_id` is the key of `author`, unless a column has that name. `to`: the target of the key; `usual`: the default
 * name of the column.
 */
function nameRelation(
  { relation }: FoundKey,
  column: string,
  scope: ImportScope & {
    readonly to: string;
    readonly table: FoundTable;
    readonly relations: ReadonlyMap<string, DraftRelation>;
  },
) {
  const { to, table, relations, naming } = scope;
  const own = column === 'id' ? '' : legalName(withoutKeyEnding(column));
  const base = own || spellName(spellModel(to).snake, naming.api);
  const isTaken =
    relations.has(base) || table.columns.some((it) => it.name === base && it.name !== column);
  const name = relation ?? (isTaken ? `${base}_row` : base);
  return { name, usual: columnName(keyName(name, naming.api), naming) };
}

/** Many-to-many relations, declared by the model of the first key under free names. */
export function convertJoins(
  table: FoundTable,
  { joins, names, naming, notes }: ImportScope,
  taken: Set<string>,
): [string, DraftRelation][] {
  return joins.flatMap((join): [string, DraftRelation][] => {
    const [left, right] = join.columns.map(({ name }) =>
      join.foreignKeys.find(({ columns }) => columns[0] === name),
    );
    const to = names.get(right?.table ?? '');
    if (left?.table !== table.name || to === undefined) return [];
    const isNamed = join.name.startsWith(`${table.name}_`);
    const usual = spellName(spellModel(to).snakePlural, naming.api);
    const base = isNamed ? join.name.slice(table.name.length + 1) : usual;
    const free = taken.has(base) ? uncapitalized(legalName(join.name)) : base;
    const name = left.relation ?? free;
    taken.add(name);
    const own = spellName(
      keyName(spellModel(names.get(table.name) ?? '').snake, 'snake'),
      naming.columns,
    );
    const isSame =
      isNamed && left.columns[0] === own && right?.columns[0] === linkColumn(name, naming.columns);
    const list = left.relation === undefined ? `many-to-many, \`${name}\`` : 'many-to-many';
    const became = isSame ? undefined : `${list}; its join table has other names`;
    notes.note('changed', ...(left.written ?? [join.name, `table ${join.name}`]), became);
    return [[name, { to, many: true, inverse: left.inverse?.name }]];
  });
}
