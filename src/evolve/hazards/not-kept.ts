import type { App } from '../../model/app.ts';
import { isOwn } from '../../model/model-pairs.ts';
import { schemaName } from '../../naming/name.ts';
import type { Change } from '../changes/change.ts';
import type { Evolution } from '../evolution.ts';

/** A relation may say that it was another one, and yet hold nothing that the other one held. */
export function notKept(change: Change, { apps }: Evolution): string {
  const former = formerRelation(change, apps.before);
  const model = apps.after.models.find(({ id }) => id === former?.model.id);
  const heir = model?.relations.find(
    (it) => it.kind !== 'inverse' && isOwn(it) && it.was === former?.name,
  );
  if (model === undefined || heir === undefined) return '';
  const named = `\`${schemaName(model)}.${heir.name}\``;
  return ` \`was\` at ${named} does not keep them: write into \`up.sql\` what should become of them.`;
}

function formerRelation(change: Change, { models }: App) {
  if (change.kind === 'drop_field')
    return { model: change.before.model, name: change.before.field.relation ?? '' };
  if (change.kind !== 'drop_links') return undefined;
  const { left, table } = change.before;
  const model = models.find(({ names }) => names.type === left.model);
  const relation = model?.relations.find(
    (it) => isOwn(it) && it.kind === 'links' && it.table === table,
  );
  return model && relation && { model, name: relation.name };
}
