export type Defined<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };

/** The properties that have a value: an absent one is an absent key, never `undefined`. */
export function defined<T extends object>(values: T): Defined<T>;
export function defined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
