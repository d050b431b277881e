import type { Schema } from '../../src/schema/keys/top.ts';
import { at, enumOf, field, model, relation, schemaOf } from './schema-values.ts';

/** A garden club's app: every kind of relation, and what a model can say of itself. */
export function gardenSchema(database: 'sqlite' | 'postgres' = 'sqlite'): Schema {
  return schemaOf([user, bed, plant, tag, visit, note], {
    database: at(database),
    auth: { roles: [at('gardener')] },
    enums: [enumOf('Season', 'spring', 'autumn')],
  });
}

const user = model('User', {
  table: at('members'),
  fields: [field('bio', 'text', { optional: true })],
});

const bed = model('Bed', {
  description: 'A bed of the garden.',
  owner: { relation: at('keeper') },
  softDelete: true,
  fields: [
    field('name', 'string', { min: at('1'), max: at('40') }),
    field('planted_at', 'datetime', { optional: true, index: true }),
    field('season', 'Season', { default: at('spring') }),
  ],
  relations: [
    relation('keeper', 'User'),
    relation('tags', 'Tag', { many: true, inverse: at('beds') }),
  ],
  unique: [{ keys: [at('keeper'), at('name')] }],
  indexes: [
    {
      keys: [
        { field: at('season'), descending: false },
        { field: at('name'), descending: true },
      ],
    },
  ],
  orderBy: [{ field: at('planted_at'), descending: true }],
  access: {
    read: [at('public')],
    update: [at('owner'), at('gardener')],
  },
});

const plant = model('Plant', {
  id: { type: at('uuid') },
  fields: [
    field('latin', 'string', { unique: true, column: at('latin_name') }),
    field('price', 'decimal', { precision: 8, scale: 2, default: at(4.5), min: at('0') }),
  ],
  relations: [
    relation('bed', 'Bed', { inverse: at('plants'), onDelete: at('cascade') }),
    relation('parent', 'Plant', { optional: true, onDelete: at('set_null') }),
    relation('visitors', 'User', { many: true, through: at('Visit'), inverse: at('visited') }),
  ],
  timestamps: {},
});

const tag = model('Tag', { path: at('topics'), fields: [field('name', 'string')] });

const visit = model('Visit', {
  relations: [relation('visitor', 'User'), relation('plant', 'Plant')],
  endpoints: [at('read'), at('list')],
});

const note = model('Note', {
  fields: [field('text', 'string')],
  relations: [relation('bed', 'Bed', { unique: true, inverse: at('note') })],
});
