import type { JoinTable, Model } from '../../model/app.ts';
import { findModel } from '../../model/lookups.ts';
import { isDeclaredHere, relationOfLinks } from '../../model/carried-ids.ts';
import type { TableChanges } from '../table-changes.ts';

export function linksNotKept(join: JoinTable, tableChanges: TableChanges): string {
  const { before } = tableChanges.apps;
  const model = findModel(join.left.model, before);
  return relationNotKept(model, relationOfLinks(join, before), tableChanges);
}

/** A relation with `was` may be so different that it keeps none of the data. */
export function relationNotKept(
  former: Model | undefined,
  name: string | undefined,
  { apps }: TableChanges,
): string {
  const model = apps.after.models.find(({ id }) => id === former?.id);
  const heir = model?.relations.find(
    (it) => it.kind !== 'inverse' && isDeclaredHere(it) && it.was === name,
  );
  if (name === undefined || model === undefined || heir === undefined) return '';
  return ` \`was\` at \`${model.name}.${heir.name}\` does not keep them: write into \`up.sql\` what happens to them.`;
}
