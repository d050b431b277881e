/** Tells whoever waits for a slow test what it is doing. */
export function say(what: string): void {
  process.stderr.write(`… ${what}\n`);
}
