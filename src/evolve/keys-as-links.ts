import type { App, Field, JoinTable, Model } from '../model/app.ts';
import type { Pair } from './pairs.ts';

/** A key whose values become rows of a join table. */
export interface LinkedKey {
  readonly model: Model;
  readonly field: Field;
  readonly join: JoinTable;
}

/** Keys that become join tables, recognised by their carried ids. */
export function listLinkedKeys({ before, after }: Pair<App>): readonly LinkedKey[] {
  const owners = new Map(
    before.models.flatMap((model) => model.fields.map((field) => [field.id, { model, field }])),
  );
  return after.joinTables.flatMap((join) => {
    const owner = owners.get(join.id);
    return owner === undefined ? [] : [{ ...owner, join }];
  });
}
