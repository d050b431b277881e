import type { ThreeTexts } from './conflict.ts';

/**
 * Mine with the settings that theirs has besides, and with what theirs changed in the others: a comment or a line is
 * theirs where mine is as the base.
 */
export function mergeEnv({ base, mine, theirs }: ThreeTexts): string {
  const [was, own, now] = [readSettings(base), readSettings(mine), readSettings(theirs)];
  const merged = own.flatMap((it): readonly Setting[] => {
    const old = was.find(({ key }) => key === it.key);
    const made = now.find(({ key }) => key === it.key);
    if (!old) return [it];
    const [isSameComment, isSameLine] = [it.above === old.above, it.line === old.line];
    if (!made) return isSameComment && isSameLine ? [] : [it];
    const above = isSameComment ? made.above : it.above;
    return [{ key: it.key, above, line: isSameLine ? made.line : it.line }];
  });
  const known = new Set([...was, ...own].map(({ key }) => key));
  for (const [index, added] of now.entries()) {
    if (known.has(added.key)) continue;
    const before = now.slice(0, index).map(({ key }) => key);
    const at = merged.findLastIndex(({ key }) => before.includes(key));
    merged.splice(at < 0 ? merged.length - 1 : at + 1, 0, added);
  }
  return merged.map(({ above, line }) => above + line).join('');
}

/** Its name, all between it and the one above, and its own line. What follows the last one has no name. */
interface Setting {
  readonly key: string;
  readonly above: string;
  readonly line: string;
}

function readSettings(text: string): readonly Setting[] {
  const settings: Setting[] = [];
  let above = '';
  for (const line of text.replace(/\n?$/, '\n').split(/(?<=\n)/)) {
    const key = settingKey(line);
    if (key !== undefined) settings.push({ key, above, line });
    above = key === undefined ? above + line : '';
  }
  return [...settings, { key: '', above, line: '' }];
}

/** The name in `KEY=value`, or in `# KEY=value` for a setting that is off. */
function settingKey(line: string): string | undefined {
  return /^\s*(?:#\s*)?(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=/.exec(line)?.[1];
}
