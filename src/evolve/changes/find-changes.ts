import type { App, JoinTable, Model } from '../../model/app.ts';
import { schemaName } from '../../naming/name.ts';
import type { Change } from './change.ts';
import { fieldChanges } from './fields.ts';
import { keyChanges } from './keys.ts';
import { type Pair, pairById } from '../pairs.ts';
import { placeName } from './place-name.ts';
import { valueChanges } from './values.ts';

/** Everything in which the databases of two apps differ, told in the schema's words. Things are paired by their ids. */
export function findChanges(before: App, after: App): readonly Change[] {
  const models = pairById(before.models, after.models);
  const joins = pairById(before.joinTables, after.joinTables);
  return [
    ...models.dropped.map((model): Change => ({
      kind: 'drop_model',
      target: schemaName(model),
      before: model,
    })),
    ...joins.dropped.map((join): Change => ({
      kind: 'drop_links',
      target: linksName(before, join),
      before: join,
    })),
    ...models.kept.flatMap((pair) => modelChanges(pair, { before, after })),
    ...valueChanges(before, after),
    ...models.added.map((model): Change => ({
      kind: 'add_model',
      target: schemaName(model),
      after: model,
    })),
    ...joins.kept
      .filter((pair) => pair.before.table !== pair.after.table)
      .map((pair): Change => ({
        kind: 'rename_links',
        target: linksName(after, pair.after),
        ...pair,
      })),
    ...joins.added.map((join): Change => ({
      kind: 'add_links',
      target: linksName(after, join),
      after: join,
    })),
  ];
}

function modelChanges(pair: Pair<Model>, apps: Pair<App>): readonly Change[] {
  const { before, after } = pair;
  const target = schemaName(after);
  const fields = pairById(before.fields, after.fields);
  const isRenamed = schemaName(before) !== target;
  return [
    ...(isRenamed ? [{ kind: 'rename_model', target, ...pair } as const] : []),
    ...(!isRenamed && before.table !== after.table
      ? [{ kind: 'move_table', target, ...pair } as const]
      : []),
    ...(before.idType !== after.idType ? [{ kind: 'change_id', target, ...pair } as const] : []),
    ...fields.dropped.map((field): Change => ({
      kind: 'drop_field',
      target: placeName({ model: after, field }),
      before: { model: before, field },
    })),
    ...fields.kept.flatMap((kept) => fieldChanges(pair, kept, apps)),
    ...fields.added.map((field): Change => ({
      kind: 'add_field',
      target: placeName({ model: after, field }),
      after: { model: after, field },
    })),
    ...keyChanges(pair),
  ];
}

/** `Post.tags` */
function linksName(app: App, { table, left }: JoinTable): string {
  const model = app.models.find(({ names }) => names.type === left.model);
  const relation = model?.relations.find((it) => it.kind === 'links' && it.table === table);
  return `${model ? schemaName(model) : left.model}.${relation?.name ?? table}`;
}
