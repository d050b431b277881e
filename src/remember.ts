/** Remembers the results for the last `most` texts. A merge asks for those of one file again and again. */
export function remember<T>(read: (text: string) => T, most = 8): (text: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return (text) => {
    const found = known.get(text) ?? { value: read(text) };
    known.delete(text);
    known.set(text, found);
    const [oldest] = known.keys();
    if (known.size > most && oldest !== undefined) known.delete(oldest);
    return found.value;
  };
}

/** Remembers the answer for each object. */
export function rememberPer<Thing extends object, T>(
  answer: (thing: Thing) => T,
): (thing: Thing) => T {
  const known = new WeakMap<Thing, { readonly value: T }>();
  return (thing) => {
    const found = known.get(thing) ?? { value: answer(thing) };
    known.set(thing, found);
    return found.value;
  };
}
