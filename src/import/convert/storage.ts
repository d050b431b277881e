import { type MomentColumn, momentColumns } from '../../types/found-columns.ts';
import { ownTypes } from '../../schema/enum-type.ts';
import type { FoundTable } from '../catalogue.ts';
import type { Draft, DraftModel } from '../draft.ts';
import { findKeyColumn } from './names.ts';

/** How PostgreSQL tables are stored; the schema gets the most frequent kind of each. */
export const storageIn = (tables: readonly FoundTable[]) => ({
  /** The column type of each moment. */
  moments: tables.flatMap(momentsIn),
  /** Whether each numeric id has 32 bits. */
  small: tables.flatMap(smallIds),
  /** Whether each text sorts in the order of the database. */
  unordered: tables.flatMap(unorderedTexts),
  /** Whether each plain index is without the id. */
  bare: tables.flatMap(bareIndexes),
});

interface FoundStorage extends ReturnType<typeof storageIn> {
  /** Each enum with the name of its type; undefined where a check lists its values. */
  readonly types: readonly (readonly [of: string, type: string | undefined])[];
}

/** A type without digits keeps microseconds. */
function momentsIn({ columns }: FoundTable): readonly MomentColumn[] {
  return columns.flatMap(({ type }) => {
    const [, digits = 6, zone] =
      /^timestamp(?:\((\d)\))? (with(?:out)?) time zone$/.exec(type) ?? [];
    const column = zone === 'with' ? 'timestamptz' : 'timestamp';
    return zone === undefined ? [] : [Number(digits) > 3 ? (`${column}(6)` as const) : column];
  });
}

function smallIds(table: FoundTable): readonly boolean[] {
  const id = findKeyColumn(table);
  return id !== undefined && /int/.test(id.type) ? [id.type === 'integer'] : [];
}

function unorderedTexts({ columns }: FoundTable): readonly boolean[] {
  return columns.flatMap(({ collation }) => collation ?? []).map((it) => it === 'default');
}

function bareIndexes(table: FoundTable): readonly boolean[] {
  const id = findKeyColumn(table)?.name;
  const plain = table.indexes.filter(({ isUnique, method }) => !isUnique && method === 'btree');
  // Prisma never adds it by itself.
  const isBare = table.stored !== undefined;
  return plain.map(({ keys }) => isBare || !keys.some(({ column }) => column === id));
}

/** What most keys and columns have in common; relations declare the differences. */
export function withStorage(
  draft: Omit<Draft, 'onUpdate' | 'times' | 'keys' | 'texts' | 'storedEnums' | 'indexes'>,
  { moments, small, unordered, bare, types }: FoundStorage,
): Draft {
  const rules = draft.models.flatMap(({ relations }) =>
    [...relations.values()].flatMap(({ on_update: rule }) => rule ?? []),
  );
  const onUpdate = isMost(rules.map((rule) => rule === 'cascade')) ? 'cascade' : 'restrict';
  const models = draft.models.map((model): DraftModel => {
    const relations = [...model.relations].map(([name, { on_update: rule, ...relation }]) => {
      return [name, rule === onUpdate ? relation : { ...relation, on_update: rule }] as const;
    });
    return { ...model, relations: new Map(relations) };
  });
  const usual = mostFrequent(moments);
  const times = usual === 'timestamptz' ? undefined : usual;
  const keys = isMost(small) ? 'int' : undefined;
  const texts = isMost(unordered) ? 'default' : undefined;
  const indexes = isMost(bare) ? 'bare' : undefined;
  const areTypes = isMost(types.map(([, type]) => type !== undefined));
  const storedEnums = areTypes ? otherNames(types) : undefined;
  return { ...draft, models, onUpdate, times, keys, texts, storedEnums, indexes };
}

/** A type whose name a schema does not accept becomes a text. */
function otherNames(types: FoundStorage['types']): Draft['storedEnums'] {
  const others = types.flatMap(([of, type = 'text']) =>
    type === of ? [] : [[of, isName(type) ? type : 'text'] as const],
  );
  return others.length === 0 ? 'type' : Object.fromEntries(others);
}

const isName = (type: string) => /^[A-Za-z]\w{0,62}$/.test(type) && !ownTypes.has(type);

function mostFrequent(moments: readonly MomentColumn[]): MomentColumn | undefined {
  const count = (column: MomentColumn) => moments.filter((it) => it === column).length;
  return momentColumns.toSorted((one, other) => count(other) - count(one))[0];
}

export const isMost = (all: readonly boolean[]) => 2 * all.filter(Boolean).length > all.length;
