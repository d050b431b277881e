export interface Cache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** Keeps what is asked for: when the young half is full, the half that nobody asked for since goes. */
export function boundedCache<Value>(size: number): Cache<Value> {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  return {
    get(key) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old.get(key);
      if (older !== undefined) this.set(key, older);
      return older;
    },
    set(key, value) {
      if (young.size >= size / 2) {
        old = young;
        young = new Map();
      }
      young.set(key, value);
    },
  };
}
