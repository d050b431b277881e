import { present } from '../../present.ts';
import { type App, type Model, findModel } from '../../model/app.ts';
import { isOwn } from '../../model/carried-ids.ts';
import { type Change, splitTarget } from '../changes/change.ts';
import type { TableChanges } from '../table-changes.ts';

/** A relation whose `was` names another one may still keep nothing of its data. */
export function notKept(change: Change, { apps }: TableChanges): string {
  const { of, name } = formerRelation(change, apps.before);
  const model = apps.after.models.find(({ id }) => id === of?.id);
  const heir = model?.relations.find((it) => it.kind !== 'inverse' && isOwn(it) && it.was === name);
  if (name === undefined || model === undefined || heir === undefined) return '';
  const named = `\`${model.name}.${heir.name}\``;
  return ` \`was\` at ${named} does not keep them: write into \`up.sql\` what happens to them.`;
}

function formerRelation(change: Change, app: App): { of?: Model | undefined; name?: string } {
  if (change.kind === 'drop_links') {
    const { name } = splitTarget(change.target);
    return { of: findModel(change.before.left.model, app), name };
  }
  if (change.kind !== 'drop_field') return {};
  const { model, field } = change.before;
  return { of: model, ...present({ name: field.relation }) };
}
