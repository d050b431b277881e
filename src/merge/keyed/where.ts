/** The way to an item, for people: `postRoutes › app.post("/:id/restore"`. */
export function stepTo(where: string, key: string): string {
  const name = key.replace(/^(?:value|type|let) /, '').replace(/ ?([.(),]) ?/g, '$1');
  // A bracket is not a name, and a statement with one declaration has that one's.
  const isStep = /\w/.test(name) && where.split(' › ').at(-1) !== name;
  return isStep ? [where, name].filter(Boolean).join(' › ') : where;
}
