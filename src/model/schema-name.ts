import { spellModel } from '../naming/name.ts';
import type { Model } from './app.ts';

/** What the schema calls a model whose type had to be called otherwise: `Page`, of the type `PageRecord`. */
export function schemaName({ names }: Pick<Model, 'names'>): string {
  const shorter = names.type.replace(/Record$/, '');
  return shorter !== '' && spellModel(shorter).type === names.type ? shorter : names.type;
}
