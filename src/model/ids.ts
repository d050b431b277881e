import type { App } from './app.ts';

export type NewId = (wanted: string) => string;

/** Gives out ids that nothing of the app has: `field:Post.title`, and when that is taken `field:Post.title~2`. */
export function idSource(app: App): NewId {
  const taken = new Set(idsOf(app));
  return (wanted) => {
    let id = wanted;
    for (let count = 2; taken.has(id); count += 1) id = `${wanted}~${count}`;
    taken.add(id);
    return id;
  };
}

function idsOf({ enums, models, joinTables }: App): readonly string[] {
  const things = [
    ...enums.flatMap((it) => [it, ...it.values]),
    ...models.flatMap((it) => [it, ...it.fields, ...it.relations]),
    ...joinTables,
  ];
  return things.map(({ id }) => id);
}
