const list = /'(?:[^']|'')*'(?:::text)?(?:, '(?:[^']|'')*'(?:::text)?)+/g;

/** The values of an enum are the same rule in whatever order they are listed. */
export function inOrder(sql: string): string {
  return sql.replace(list, (texts) =>
    [...texts.matchAll(/'(?:[^']|'')*'/g)].map(String).toSorted().join(', '),
  );
}
