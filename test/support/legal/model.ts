import * as fc from 'fast-check';
import { fieldsDocument } from './fields.ts';
import { prose } from './names.ts';
import { maybe, type Document, some } from './pick.ts';
import { relationsDocument } from './relations.ts';
import type { World } from './world.ts';

const endpoints = [
  'none',
  ['list', 'read'],
  ['create', 'read', 'list'],
  ['list', 'create', 'read', 'update', 'delete'],
];

/** A model with fields, relations and every option. */
export function modelDocument(world: World, name: string): Document {
  const { pick, roles } = world;
  const relations = relationsDocument(world, name);
  const fields = fieldsDocument(
    world,
    new Set([...relations.names, ...(world.taken.get(name) ?? [])]),
  );
  const owner = pick(fc.boolean) ? relations.toUser : undefined;
  const keys = some(pick, [...fields.orderable, ...relations.required], { most: 3 });
  const order = some(pick, fields.orderable, { most: 2 }).map((key) =>
    pick(fc.boolean) ? key : `-${key}`,
  );
  return {
    ...maybe(pick, 'description', prose),
    ...maybe(pick, 'table', [`app_${name.toLowerCase()}`]),
    ...maybe(pick, 'path', [`the-${name.toLowerCase()}`]),
    ...maybe(pick, 'id', ['int', 'uuid']),
    ...maybe(pick, 'timestamps', [true, false]),
    ...maybe(pick, 'soft_delete', [true, false]),
    ...maybe(pick, 'endpoints', endpoints),
    ...(owner !== undefined && { owner }),
    fields: fields.document,
    ...(Object.keys(relations.document).length > 0 && { relations: relations.document }),
    ...(keys.length > 0 && { indexes: [keys] }),
    ...(keys.length > 0 &&
      fields.varied !== undefined && { unique: [together(keys, fields.varied)] }),
    ...(order.length > 0 && { order_by: order.length === 1 ? order[0] : order }),
    ...(pick(fc.boolean) && {
      access: accessDocument(world, [
        'public',
        'authenticated',
        'admin',
        ...roles,
        ...(owner === undefined ? [] : ['owner']),
      ]),
    }),
  };
}

/** Rules for some of the operations, each a word or a list of words. */
export function accessDocument({ pick }: World, words: readonly string[]): Document {
  const operations = some(pick, ['list', 'read', 'create', 'update', 'delete'], { least: 1 });
  return Object.fromEntries(
    operations.map((operation) => {
      const legal = words.filter((word) => operation !== 'create' || fitsCreate(word, words));
      const admitted = some(pick, legal, { least: 1, most: 3 });
      return [operation, admitted.length === 1 && pick(fc.boolean) ? admitted[0] : admitted];
    }),
  );
}

/** Before a row exists, nobody owns it; and a row that somebody has to own, no stranger makes. */
function fitsCreate(word: string, words: readonly string[]): boolean {
  return word !== 'owner' && word !== 'self' && !(word === 'public' && words.includes('owner'));
}

function together(keys: readonly string[], varied: string): string[] {
  return [...new Set([...keys, varied])];
}
