import type { FoundIndex, FoundTable } from '../catalogue.ts';
import {
  findAttribute,
  namesIn,
  type PrismaAttribute,
  type PrismaField,
  type PrismaModel,
} from './schema.ts';

export function primaryKeyOf(model: PrismaModel): FoundTable['primaryKey'] {
  const own = model.fields.find((field) => findAttribute(field, 'id') !== undefined);
  if (own !== undefined) return [own.name];
  const group = findAttribute(model, 'id');
  return group === undefined ? [] : keyColumns(group).map(({ name }) => name);
}

const keyColumns = ({ given }: PrismaAttribute) => namesIn(given.get('0') ?? given.get('fields'));

export const indexesOf = (model: PrismaModel): readonly FoundIndex[] => [
  ...model.fields.flatMap((field) => uniqueOf(field, model)),
  ...model.attributes.flatMap((it) => groupOf(it, model)),
];

/** Only B-trees are ordered. */
function groupOf(found: PrismaAttribute, { name: model }: PrismaModel): readonly FoundIndex[] {
  const { name, place, given } = found;
  if (!['unique', 'index', 'fulltext'].includes(name)) return [];
  const columns = keyColumns(found);
  const list = columns.map((it) => it.name).join(', ');
  const type = name === 'fulltext' ? name : (given.get('type')?.text ?? 'btree');
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

function uniqueOf(field: PrismaField, { name: model }: PrismaModel): readonly FoundIndex[] {
  if (findAttribute(field, 'unique') === undefined) return [];
  const { name, place } = field;
  const keys = [{ column: name, isDescending: false }];
  const written = [place, `${model}.${name} @unique`] as const;
  return [{ name, written, isOfColumn: true, isUnique: true, keys, method: 'btree' }];
}
