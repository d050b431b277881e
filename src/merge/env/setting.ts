/** The name in `KEY=value`, or in `# KEY=value` for a setting that is off. */
export function settingKey(line: string): string | undefined {
  return /^\s*(?:#\s*)?(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=/.exec(line)?.[1];
}
