import type { FoundIndex, FoundTable } from '../catalogue.ts';
import type { PrismaAttribute, PrismaField, PrismaModel } from './schema.ts';
import { findAttribute, namesIn, unquote } from './values.ts';

export function readPrimaryKey({ fields, attributes }: PrismaModel): FoundTable['primaryKey'] {
  const own = fields.find((field) => findAttribute(field, 'id') !== undefined);
  if (own !== undefined) return [own.name];
  const group = findAttribute({ attributes }, 'id');
  return group === undefined ? [] : keyColumns(group).map(({ name }) => name);
}

const keyColumns = ({ values, named }: PrismaAttribute) =>
  namesIn(values[0] ?? named.get('fields'));

export const listIndexes = (model: PrismaModel): readonly FoundIndex[] => [
  ...model.fields.flatMap((field) => readUnique(field, model)),
  ...model.attributes.flatMap((it) => readIndex(it, model)),
];

/** Only B-trees have an order. */
function readIndex(found: PrismaAttribute, { name: model }: PrismaModel): readonly FoundIndex[] {
  const { name, place, named } = found;
  if (!['unique', 'index', 'fulltext'].includes(name)) return [];
  const columns = keyColumns(found);
  const list = columns.map((it) => it.name).join(', ');
  const type = name === 'fulltext' ? name : (unquote(named.get('type')) ?? 'btree');
  return [
    {
      name: list,
      written: [place, `${model} @@${name}([${list}])`],
      isUnique: name === 'unique',
      keys: columns.map((it) => ({ column: it.name, isDescending: it.isDescending })),
      method: type.toLowerCase(),
    },
  ];
}

function readUnique(field: PrismaField, { name: model }: PrismaModel): readonly FoundIndex[] {
  if (findAttribute(field, 'unique') === undefined) return [];
  const { name, place } = field;
  const keys = [{ column: name, isDescending: false }];
  const written = [place, `${model}.${name} @unique`] as const;
  return [{ name, written, isOfColumn: true, isUnique: true, keys, method: 'btree' }];
}
