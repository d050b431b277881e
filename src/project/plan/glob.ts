/** Whether a path is one of these: a path, a folder above it, or a pattern with `*`, `**` and `?`. */
export function matchesAny(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matches(path, pattern.replace(/^\.\/|\/+$/g, '')));
}

function matches(path: string, pattern: string): boolean {
  if (path === pattern || path.startsWith(`${pattern}/`)) return true;
  if (!/[*?]/.test(pattern)) return false;
  const source = pattern.replace(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (part) => {
    return wildcards[part] ?? part.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 'u').test(path);
}

const wildcards: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};
