export type Kept = Map<string, Readonly<Record<string, unknown>>>;

/** Replaces `{name.key}` in every text of a value; a text that is nothing else becomes the value itself. */
export function fill<T>(value: T, kept: Kept): T;
export function fill(value: unknown, kept: Kept): unknown {
  if (typeof value === 'string') return fillText(value, kept);
  if (Array.isArray(value)) return value.map((item) => fill(item, kept));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, kept)]));
  }
  return value;
}

function fillText(text: string, kept: Kept): unknown {
  const alone = /^\{(\w+)\.(\w+)\}$/.exec(text);
  if (alone) return look(alone[1] ?? '', alone[2] ?? '', kept);
  return text.replace(/\{(\w+)\.(\w+)\}/g, (_, name: string, key: string) =>
    encodeURIComponent(String(look(name, key, kept))),
  );
}

function look(name: string, key: string, kept: Kept): unknown {
  const value = kept.get(name)?.[key];
  if (value === undefined) throw new Error(`No earlier turn kept {${name}.${key}}.`);
  return value;
}
