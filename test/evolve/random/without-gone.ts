import type { Value, World, WorldField, WorldModel } from './world.ts';

/** A default or a backfill cannot be a value that the enum no longer has. */
export function withoutGone(model: WorldModel, world: World): WorldModel {
  const fields = model.fields.map((field): WorldField => {
    const { default: fallback, backfill, ...rest } = field;
    const { type } = field;
    if (type.kind !== 'enum') return field;
    const has = (value: Value | undefined) =>
      world.enums.some((it) => it.id === type.of && it.values.some(({ id }) => id === value));
    return {
      ...rest,
      ...(fallback !== undefined && has(fallback) ? { default: fallback } : {}),
      ...(backfill !== undefined && has(backfill) ? { backfill } : {}),
    };
  });
  return { ...model, fields };
}
