/**
 * Remembers what `make` returned for a key. If it holds more than `most`, it drops what has not been used for a while.
 * Anything larger than half of that is not kept.
 */
export function boundedCache<Value>(most: number, sizeOf: (value: Value) => number = () => 0) {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  let size = 0;
  return (key: string, make: () => Value): Value => {
    const known = young.get(key);
    if (known !== undefined) return known;
    const value = old.get(key) ?? make();
    const more = key.length + sizeOf(value);
    if (more >= most / 2) return value;
    if (size + more > most / 2) {
      old = young;
      young = new Map();
      size = 0;
    }
    young.set(key, value);
    size += more;
    return value;
  };
}
