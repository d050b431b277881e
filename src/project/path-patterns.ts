/** Matches a path, all paths below a folder, or a pattern with `*`, `**` and `?`. */
export function makeMatcher(patterns: readonly string[]): (path: string) => boolean {
  const expressions = patterns.map(compilePathPattern);
  return (path) => expressions.some((it) => it.test(path));
}

function compilePathPattern(pattern: string): RegExp {
  const source = pattern.replace(/^\.\/|\/+$/g, '').replace(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (part) => {
    return wildcards[part] ?? part.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  });
  return new RegExp(`^${source}${/[*?]/.test(pattern) ? '' : '(?:/[^]*)?'}$`, 'u');
}

const wildcards: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};
