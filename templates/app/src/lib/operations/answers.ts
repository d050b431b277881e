import type { TObject } from 'typebox';
import { isToMany } from '../sql/related.ts';
import type { Relation, Resource } from '../resource.ts';

/** The whole row, or what `fields` asks for of it and of the rows that it is related to. */
export function rowAnswer({ name, relations }: Resource, row: TObject): object {
  const embedded = Object.entries(relations).map(([key, relation]) => [
    key,
    embeddedType(relation),
  ]);
  const selected = {
    title: `${name}Selection`,
    type: 'object',
    required: ['id'],
    properties: { ...row.properties, ...Object.fromEntries(embedded) },
    additionalProperties: false,
  };
  return { anyOf: [row, selected] };
}

export function pageAnswer(resource: Resource, row: TObject): object {
  return {
    title: `${resource.name}Page`,
    type: 'object',
    required: ['items', 'total', 'limit', 'offset'],
    properties: {
      items: { type: 'array', items: rowAnswer(resource, row) },
      total: {
        type: ['integer', 'null'],
        description: 'How many rows there are on all pages; null with `count=none`.',
      },
      total_estimated: { type: 'boolean', description: 'Present with `count=estimated`.' },
      limit: { type: 'integer' },
      offset: { type: ['integer', 'null'], description: 'Null behind a cursor.' },
      next_cursor: { type: 'string', description: 'Present when there is a next page.' },
    },
  };
}

function embeddedType(relation: Relation): object {
  if (isToMany(relation)) return { type: 'array', items: { type: 'object' } };
  return { type: ['object', 'null'], description: 'Null also when you may not read it.' };
}
