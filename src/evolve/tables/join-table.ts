import type { App, JoinTable, Model } from '../../model/app.ts';
import { identifier } from '../../model/identifier.ts';
import { keyType, plainField } from '../../model/fields.ts';
import type { Dialect } from '../dialect.ts';
import { fieldColumn } from './model-table.ts';
import type { Column, ForeignKey, Table } from './table.ts';

/** Pairs of keys; a pair goes when either side does. */
export function joinTable(join: JoinTable, app: App, dialect: Dialect): Table {
  const sides = (['left', 'right'] as const).map((side) => ({
    ...join[side],
    side,
    target: app.models.find(({ names }) => names.type === join[side].model),
  }));
  return {
    id: join.id,
    name: join.table,
    columns: sides.map((side) => keyColumn(join, side, dialect)),
    primaryKey: [join.left.column, join.right.column],
    checks: [],
    foreignKeys: sides.map(({ column, model, target }): ForeignKey => ({
      name: identifier([join.table, column], 'fkey'),
      column,
      table: target?.table ?? model,
      target: target?.id ?? model,
      onDelete: 'cascade',
    })),
    indexes: [
      {
        name: join.index,
        unique: false,
        keys: [{ column: join.right.column, descending: false }],
      },
    ],
  };
}

interface Side {
  readonly side: 'left' | 'right';
  readonly column: string;
  readonly target: Model | undefined;
}

function keyColumn(join: JoinTable, { side, column, target }: Side, dialect: Dialect): Column {
  const field = {
    ...plainField(join.id, column),
    id: `${join.id}.${side}`,
    role: 'key',
    type: keyType(target?.idType ?? 'int'),
  } as const;
  return fieldColumn(field, dialect);
}
