/** Removes user, password and query. A password may contain `@`, so the last one counts. */
export function shownUrl(url: string): string {
  return url.replace(/^(\w+:\/\/).*@/s, '$1').replace(/\?.*$/s, '');
}
