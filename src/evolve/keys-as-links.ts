import type { App, Field, JoinTable, Model } from '../model/app.ts';
import type { Pair } from './pairs.ts';

/** A key whose values become links. */
export interface LinkedKey {
  readonly model: Model;
  readonly field: Field;
  readonly join: JoinTable;
}

/** The keys that have become tables of links, to which `carryIds` has given their ids. */
export function linkedKeys({ before, after }: Pair<App>): readonly LinkedKey[] {
  const places = new Map(
    before.models.flatMap((model) => model.fields.map((field) => [field.id, { model, field }])),
  );
  return after.joinTables.flatMap((join) => {
    const place = places.get(join.id);
    return place === undefined ? [] : [{ ...place, join }];
  });
}
