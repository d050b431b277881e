import { z } from 'zod';
import { sortKeys, type Json } from '../types/field-type.ts';
import { present } from '../present.ts';
import type { App, JoinTable } from './app.ts';
import { appShape, withoutKeys } from './app-shape.ts';

const snapshotVersion = 1;

/** The content of `.scaffold/schema.json`, with sorted keys. */
export const snapshotApp = (app: App): Json => sortKeys({ version: snapshotVersion, app });

/** Earlier versions recorded the name of the type where a model is meant: `PageRecord` for `Page`. */
function withModelNames(app: App): App {
  const byType = new Map(app.models.map(({ name, names }) => [names.type, name]));
  const nameOf = (type: string) => byType.get(type) ?? type;
  const side = (it: JoinTable['left']) => ({ ...it, model: nameOf(it.model) });
  return {
    ...app,
    models: app.models.map((model) => ({
      ...model,
      relations: model.relations.map((it) => {
        const target = nameOf(it.target);
        if (it.kind !== 'links') return { ...it, target };
        return { ...it, target, ...present({ through: it.through && nameOf(it.through) }) };
      }),
      ...present({ members: model.members?.map((it) => ({ ...it, by: nameOf(it.by) })) }),
    })),
    joinTables: app.joinTables.map((it) => ({ ...it, left: side(it.left), right: side(it.right) })),
  };
}

/** Of what `snapshotApp` makes, also of what earlier versions made. */
export const snapshotShape = z
  .strictObject({
    version: z.literal(snapshotVersion),
    app: withoutKeys(['title', 'roles'], appShape),
  })
  .transform(({ app }) => withModelNames(app));
