/** Without the password. */
export function shownUrl(url: string): string {
  return url.replace(/^(\w+:\/\/)[^@/]*@/, '$1').replace(/\?.*$/, '');
}
