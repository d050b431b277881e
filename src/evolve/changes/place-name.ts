import { schemaName } from '../../naming/name.ts';
import type { Place } from './change.ts';

/** `Post.title`; the key of a relation goes by the relation's name: `Post.author`. */
export function placeName({ model, field }: Place): string {
  return `${schemaName(model)}.${field.relation ?? field.name}`;
}
