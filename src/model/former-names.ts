export interface Named {
  readonly name: string;
  readonly was?: string;
}

/**
 * The name that each of `next` had in `previous`: told by a rename, by `was`, or unchanged. A `was` counts once:
 * when the previous schema said the same of the same name, that rename is done. A rename from nothing tells that the
 * thing is new, whatever had its name.
 */
export function formerNames(
  previous: readonly Named[],
  next: readonly Named[],
  renames: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const before = new Map(previous.map((item) => [item.name, item]));
  const former = new Map<string, string>();
  const claimed = new Set<string>();
  const claim = (name: string, from: string | undefined) => {
    if (from === undefined || former.has(name) || claimed.has(from) || !before.has(from)) return;
    if (renames.get(name) === '') return;
    former.set(name, from);
    claimed.add(from);
  };
  for (const { name } of next) claim(name, renames.get(name));
  for (const { name, was } of next) if (before.get(name)?.was !== was) claim(name, was);
  for (const { name } of next) claim(name, name);
  return former;
}
