/** Without user, password and query: whatever stands before the last `@`, as a password may have signs of its own. */
export function shownUrl(url: string): string {
  return url.replace(/^(\w+:\/\/).*@/s, '$1').replace(/\?.*$/s, '');
}
