import { foreignModelKeys } from './foreign-words.ts';
import { idTypes } from './key.ts';
import { modelKeys } from './keys.ts';
import { present } from './present.ts';
import { type EndpointName, endpointNames, type Located, type ModelSchema } from './schema.ts';
import {
  choiceOf,
  entriesOf,
  flagOf,
  inside,
  openMap,
  reportKind,
  textOf,
  type Scope,
} from './shape.ts';
import { accessOf, namesOf, ownerOf } from './shape-access.ts';
import { shapeField } from './shape-field.ts';
import { groupOf, groupsOf, indexOf, orderOf } from './shape-lists.ts';
import { shapeRelation } from './shape-relation.ts';
import type { Entry, Node } from './source.ts';

export function shapeModel(entry: Entry, scope: Scope): ModelSchema {
  const inner = inside(scope, entry.name);
  const map = openMap(entry.value, modelKeys, inner, foreignModelKeys);
  const under = (key: keyof typeof modelKeys) => inside(inner, key);
  const text = (key: 'description' | 'table' | 'path' | 'plural' | 'was') =>
    textOf(map.get(key), under(key));
  const entries = (key: 'fields' | 'relations') => {
    const node = map.get(key);
    return node === undefined ? [] : entriesOf(node, under(key));
  };
  const items = (key: 'unique' | 'indexes') => {
    const node = map.get(key);
    return node === undefined ? [] : groupsOf(node, under(key));
  };
  return {
    name: { value: entry.name, at: entry.key.at },
    ...present({
      description: text('description')?.value,
      table: text('table'),
      path: text('path'),
      plural: text('plural'),
      id: choiceOf(map.get('id'), idTypes, under('id')),
      timestamps: flagOf(map.get('timestamps'), under('timestamps')),
      softDelete: flagOf(map.get('soft_delete'), under('soft_delete')),
      owner: ownerOf(map.get('owner'), under('owner')),
      embed: namesOf(map.get('embed'), under('embed')),
      endpoints: endpointsOf(map.get('endpoints'), under('endpoints')),
      orderBy: orderOf(map.get('order_by'), under('order_by')),
      was: text('was'),
    }),
    fields: entries('fields').map((field) => shapeField(field, inner)),
    relations: entries('relations').map((relation) => shapeRelation(relation, inner)),
    unique: items('unique').flatMap((item) => groupOf(item, under('unique'))),
    indexes: items('indexes').flatMap((item) => indexOf(item, under('indexes'))),
    access: accessOf(map.get('access'), under('access')),
    keysAt: map.places,
    extensions: map.extensions,
  };
}

function endpointsOf(node: Node | undefined, scope: Scope): Located<EndpointName>[] | undefined {
  if (node === undefined) return undefined;
  if (node.kind === 'list') {
    return node.items.flatMap((item) => choiceOf(item, endpointNames, scope) ?? []);
  }
  if (node.kind !== 'scalar' || node.value !== 'none') {
    reportKind(node, `\`none\` or a list of ${endpointNames.join(', ')}`, scope);
  }
  return [];
}
