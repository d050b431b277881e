import { keyName, linkColumn, spellModel, spellName, uncapitalized } from '../../naming/name.ts';
import { columnName } from '../../schema/rules/member-facts.ts';
import type { Naming } from '../../schema/language.ts';
import type { DraftRelation } from '../draft.ts';
import { legalName } from '../legal-name.ts';
import type { Notebook } from '../notes.ts';
import type { Catalogue, FoundTable } from './catalogue.ts';
import type { enumsIn } from './enums.ts';
import { baseOf, leadsToId } from './names.ts';

export interface Scope {
  readonly catalogue: Catalogue;
  /** Of the models, by the names of their tables. */
  readonly names: ReadonlyMap<string, string>;
  readonly naming: Naming;
  readonly notes: Notebook;
  readonly enums: ReturnType<typeof enumsIn>;
  readonly joins: readonly FoundTable[];
  /** Whether most indexes are without the id. */
  readonly isBare: boolean;
}

export interface Relations {
  readonly relations: ReadonlyMap<string, DraftRelation>;
  /** The relation that a column is the key of, by the name of the column. */
  readonly keys: ReadonlyMap<string, string>;
}

export function relationsOf(
  table: FoundTable,
  { catalogue, names, naming, notes }: Scope,
): Relations {
  const relations = new Map<string, DraftRelation>();
  const keys = new Map<string, string>();
  for (const key of table.foreignKeys) {
    const [column = ''] = key.columns;
    const to = names.get(key.table);
    const found = table.columns.find(({ name }) => name === column);
    const why =
      key.columns.length > 1
        ? 'its key has several columns'
        : to === undefined || !leadsToId(key, catalogue.tables)
          ? 'it does not lead to an `id`'
          : keys.has(column)
            ? 'another one has the same column'
            : undefined;
    if (why !== undefined || to === undefined || found === undefined) {
      const what = `foreign key (${key.columns.join(', ')}) to ${key.table}`;
      notes.left(
        table.name,
        what,
        `${why ?? 'there is no such column'}; the columns stay, as fields`,
      );
      continue;
    }
    notes.exact();
    const name = relationName(column, table, relations);
    const isOther = columnName(keyName(name, naming.api), naming) !== column;
    const isIndexed = table.indexes.some(
      ({ keys: [first], where, method }) =>
        first?.column === column && where === undefined && method === 'btree',
    );
    keys.set(column, name);
    relations.set(name, {
      to,
      ...(found.nullable && { optional: true as const }),
      ...(key.onDelete === 'cascade' && { on_delete: 'cascade' as const }),
      ...(key.onDelete === 'set null' && found.nullable && { on_delete: 'set_null' as const }),
      on_update: key.onUpdate === 'cascade' ? 'cascade' : 'restrict',
      ...(isOther && { column }),
      ...(!isIndexed && { index: false as const }),
    });
  }
  return { relations, keys };
}

/** `author_id` is the key of `author`. */
function relationName(
  column: string,
  { columns }: FoundTable,
  taken: ReadonlyMap<string, unknown>,
): string {
  const base = legalName(baseOf(column)) || 'target';
  const isTaken = taken.has(base) || columns.some(({ name }) => name === base && name !== column);
  return isTaken ? `${base}_row` : base;
}

/** Many-to-many, declared where the first key leads to, under names that the model does not have yet. */
export function pairsOf(
  table: FoundTable,
  { joins, names, naming, notes }: Scope,
  members: Iterable<string>,
): [string, DraftRelation][] {
  const taken = new Set(members);
  return joins.flatMap((join): [string, DraftRelation][] => {
    const [left, right] = join.columns.map(({ name }) =>
      join.foreignKeys.find(({ columns }) => columns[0] === name),
    );
    const to = names.get(right?.table ?? '');
    if (left?.table !== table.name || to === undefined) return [];
    const isNamed = join.name.startsWith(`${table.name}_`);
    const usual = spellName(spellModel(to).snakePlural, naming.api);
    const base = isNamed ? join.name.slice(table.name.length + 1) : usual;
    const name = taken.has(base) ? uncapitalized(legalName(join.name)) : base;
    taken.add(name);
    const own = spellName(
      keyName(spellModel(names.get(table.name) ?? '').snake, 'snake'),
      naming.columns,
    );
    const isSame =
      isNamed && left.columns[0] === own && right?.columns[0] === linkColumn(name, naming.columns);
    if (isSame) notes.exact();
    else
      notes.changed(
        join.name,
        `table ${join.name}`,
        `\`${name}\`; the table of the pairs has other names`,
      );
    return [[name, { to, many: true }]];
  });
}
