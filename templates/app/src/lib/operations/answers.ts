import type { TObject } from 'typebox';
import { isToMany } from '../sql/related.ts';
import type { Relation, Resource } from '../resource.ts';

/**
 * What `fields` asks for of a row and of the rows that it is related to, and nothing that is not named here. The
 * document tells it apart from the whole row, which clients get who ask for nothing special.
 */
export function rowAnswer({ name, relations }: Resource, row: TObject): object {
  const own = Object.entries(row.properties).map(([key, type]) => [key, withoutDefault(type)]);
  const embedded = Object.entries(relations).map(([key, relation]) => [
    key,
    embeddedType(relation),
  ]);
  return {
    title: `${name}Selection`,
    description: `The ${name}, or what \`fields\` selects of it.`,
    type: 'object',
    required: ['id'],
    properties: Object.fromEntries([...own, ...embedded]),
    additionalProperties: false,
    [wholeRow]: row,
  };
}

/** The keyword that holds the shape of the whole row, for the document. */
export const wholeRow = 'x-whole-row';

export function pageAnswer(resource: Resource, row: TObject): object {
  return {
    title: `${resource.name}Page`,
    description: 'A page of the list.',
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
    examples: [{ items: [], total: 0, limit: 50, offset: 0 }],
  };
}

/** Or a field that was not asked for would be answered with its default. */
function withoutDefault(type: object): object {
  const { default: _, ...rest } = { default: undefined, ...type };
  return rest;
}

function embeddedType(relation: Relation): object {
  const row = { type: 'object', additionalProperties: true };
  if (isToMany(relation)) return { type: 'array', items: row };
  return { ...row, type: ['object', 'null'], description: 'Null also when you may not read it.' };
}
