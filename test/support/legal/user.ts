import * as fc from 'fast-check';
import { fieldsDocument } from './fields.ts';
import { accessDocument } from './access.ts';
import { idsOfModels } from './kinds.ts';
import { embedDocument, groupsDocument } from './model.ts';
import { prose } from './names.ts';
import { maybe, type Document } from './pick.ts';
import { relationsDocument } from './relations.ts';
import type { World } from './world.ts';

/** What a schema may add to the base user. */
export function userDocument(world: World): Document {
  const { pick, taken, roles, home } = world;
  const relations = relationsDocument(world, 'User');
  const builtIn = ['name', 'email', 'password', 'role'];
  const fields = fieldsDocument(world, {
    taken: new Set([...builtIn, ...relations.names, ...(taken.get('User') ?? [])]),
    isCrowded: true,
    words: ['self'],
  });
  const words = ['authenticated', 'admin', ...roles];
  const { varied } = fields;
  const deletion = maybe(pick, 'soft_delete', [true, false]);
  const names = [...fields.orderable, 'name', 'email', 'created_at'];
  const requires = home === undefined ? {} : { [`home`]: home };
  return {
    ...maybe(pick, 'description', prose),
    ...maybe(pick, 'table', ['accounts', 'Members']),
    ...maybe(pick, 'path', ['members', 'People-1']),
    ...maybe(pick, 'id', idsOfModels),
    ...deletion,
    fields: fields.document,
    ...embedDocument(pick, ['name', 'created_at', ...fields.shown]),
    relations: { ...relations.document, ...requires },
    ...groupsDocument(pick, {
      unique: varied !== undefined && pick(fc.boolean) ? [['name', varied, 'email']] : [],
      indexed: names,
      ordered: [...fields.shown, 'name', 'role', ...relations.keys],
    }),
    ...(pick(fc.boolean) && {
      access: accessDocument(world, {
        model: 'User',
        words: [...words, 'self', 'public'],
        creators: words,
        toOne: [],
        fields: fields.orderable,
        times: true,
        softDelete: deletion['soft_delete'] === true,
      }),
    }),
  };
}
