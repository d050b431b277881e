import { InternalError } from '../../errors.ts';
import type { Model } from '../../model/app.ts';

/** The field that holds the owner's id. */
export function ownerKey(model: Model): string {
  const relation = model.relations.find(({ kind, name }) => kind === 'one' && name === model.owner);
  if (relation?.kind !== 'one') throw new InternalError(`${model.names.type} has no owner.`);
  return relation.key;
}
