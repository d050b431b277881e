import type { Plan, Write } from '../plan.ts';

/** What a plan comes to on the disk, in the order in which it is done: the record last. */
export function writesOf({ changes, bookkeeping }: Plan): readonly Write[] {
  const before = new Map(
    changes.flatMap((it) => (it.before === undefined ? [] : [[it.from ?? it.path, it.before]])),
  );
  const written = changes.flatMap((it): readonly Write[] => {
    const { path, after, mode, like = it.from } = it;
    if (after === undefined) return [];
    return [
      { path, ...textOf(before.get(path)), after, mode, ...(like !== undefined && { like }) },
    ];
  });
  const taken = new Set(written.map(({ path }) => path));
  const gone = [...before].flatMap(([path, text]): readonly Write[] =>
    taken.has(path) ? [] : [{ path, before: text }],
  );
  // On a disk that takes `Post.ts` and `post.ts` for one, the old name goes before the new one comes.
  const folded = new Set([...taken].map((path) => path.toLowerCase()));
  const isSameFile = ({ path }: Write) => folded.has(path.toLowerCase());
  return [
    ...gone.filter(isSameFile),
    ...written,
    ...gone.filter((it) => !isSameFile(it)),
    ...bookkeeping,
  ];
}

function textOf(before: string | undefined) {
  return before === undefined ? {} : { before };
}
