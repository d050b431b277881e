/** The way to an item, for people: `postRoutes › app.post("/:id/restore"`. */
export function stepTo(where: string, key: string): string {
  const name = key.replace(/^(?:value|type|let) /, '').replace(/ ?([.(),]) ?/g, '$1');
  return [where, name].filter(Boolean).join(' › ');
}
