import type { Model } from '../../model/app.ts';

/** The field that holds the id of the user to whom a row belongs. */
export function ownerKey(model: Model): string | undefined {
  return model.fields.find(({ role, relation }) => role === 'key' && relation === model.owner)
    ?.name;
}
