/** The way to an item, for people: `postRoutes › app.post("/:id/restore"`. */
export function stepTo(where: string, key: string): string {
  // An object is called what its first value is.
  const named = key.replace(/^(?:value|type|let) /, '').replace(/^\{ \w+ : /, '');
  const name = named.replace(/ ?([.(),]) ?/g, '$1').replace(/\($/, '');
  // A bracket is not a name, and a statement with one declaration has that one's.
  const isStep = /\w/.test(name) && where.split(' › ').at(-1) !== name;
  return isStep ? [where, name].filter(Boolean).join(' › ') : where;
}
