import { type MomentColumn, momentColumns } from '../../types/found-columns.ts';
import { ownTypes } from '../../schema/enum-type.ts';
import type { FoundTable } from '../catalogue.ts';
import type { DraftModel } from '../draft.ts';
import { findKeyColumn } from './names.ts';

/** How most keys, columns and indexes of PostgreSQL tables are stored, as the key `storage` of a schema. */
export function storageIn(tables: readonly FoundTable[]) {
  const times = mostFrequentColumn(tables.flatMap(momentsIn));
  return {
    times: times === 'timestamptz' ? undefined : times,
    keys: isMost(tables.flatMap(smallIds)) ? 'int' : undefined,
    texts: isMost(tables.flatMap(unorderedTexts)) ? 'default' : undefined,
    indexes: isMost(tables.flatMap(bareIndexes)) ? 'bare' : undefined,
  } as const;
}

/** The column type of each time. A time without a precision keeps microseconds. */
function momentsIn({ columns }: FoundTable): readonly MomentColumn[] {
  return columns.flatMap(({ type }) => {
    const [, digits = 6, zone] =
      /^timestamp(?:\((\d)\))? (with(?:out)?) time zone$/.exec(type) ?? [];
    const column = zone === 'with' ? 'timestamptz' : 'timestamp';
    return zone === undefined ? [] : [Number(digits) > 3 ? (`${column}(6)` as const) : column];
  });
}

/** Whether each numeric id has 32 bits. */
function smallIds(table: FoundTable): readonly boolean[] {
  const id = findKeyColumn(table);
  return id !== undefined && /int/.test(id.type) ? [id.type === 'integer'] : [];
}

/** Whether each text is sorted in the order of the database. */
function unorderedTexts({ columns }: FoundTable): readonly boolean[] {
  return columns.flatMap(({ collation }) => collation ?? []).map((it) => it === 'default');
}

/** Whether each non-unique index lacks the id. */
function bareIndexes(table: FoundTable): readonly boolean[] {
  const id = findKeyColumn(table)?.name;
  const plain = table.indexes.filter(({ isUnique, method }) => !isUnique && method === 'btree');
  // Prisma never adds the id.
  const isBare = table.stored !== undefined;
  return plain.map(({ keys }) => isBare || !keys.some(({ column }) => column === id));
}

/** The update rule of most foreign keys. Relations declare the exceptions. */
export function withUpdateRule(drafts: readonly DraftModel[]) {
  const rules = drafts.flatMap(({ relations }) =>
    [...relations.values()].flatMap(({ on_update: rule }) => rule ?? []),
  );
  const usual = isMost(rules.map((rule) => rule === 'cascade')) ? 'cascade' : 'restrict';
  const models = drafts.map((model): DraftModel => {
    const relations = [...model.relations].map(([name, { on_update: rule, ...relation }]) => {
      return [name, rule === usual ? relation : { ...relation, on_update: rule }] as const;
    });
    return { ...model, relations: new Map(relations) };
  });
  return { models, on_update: usual === 'cascade' ? usual : undefined } as const;
}

/** Enums with the names of their types; undefined for one that comes from a check. Invalid names become texts. */
export function storedEnums(
  types: readonly (readonly [of: string, type: string | undefined])[],
): 'type' | Readonly<Record<string, string>> | undefined {
  if (!isMost(types.map(([, type]) => type !== undefined))) return undefined;
  const others = types.flatMap(([of, type = 'text']) =>
    type === of ? [] : [[of, isTypeName(type) ? type : 'text'] as const],
  );
  return others.length === 0 ? 'type' : Object.fromEntries(others);
}

const isTypeName = (type: string) => /^[A-Za-z]\w{0,62}$/.test(type) && !ownTypes.has(type);

function mostFrequentColumn(moments: readonly MomentColumn[]): MomentColumn | undefined {
  const count = (column: MomentColumn) => moments.filter((it) => it === column).length;
  return momentColumns.toSorted((one, other) => count(other) - count(one))[0];
}

const isMost = (all: readonly boolean[]) => 2 * all.filter(Boolean).length > all.length;
