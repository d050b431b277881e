export type Cache<Value> = (key: string, make: () => Value) => Value;

const longestKey = 2000;

/** Answers what it made for a key before. When it is full, it forgets what was not asked for in a while. */
export function boundedCache<Value>(size: number): Cache<Value> {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  return (key, make) => {
    const known = young.get(key);
    if (known !== undefined) return known;
    const value = old.get(key) ?? make();
    if (key.length > longestKey) return value;
    if (young.size >= size / 2) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
    return value;
  };
}
