import type { ThreeTexts } from './conflict.ts';

/** Settings that are new in theirs, with the comments right above them; nothing else changes. */
export function mergeEnv({ base, mine, theirs }: ThreeTexts): string {
  const known = new Set([...readSettings(base), ...readSettings(mine)].map(({ key }) => key));
  let text = mine;
  let previous = '';
  for (const { key, lines } of readSettings(theirs)) {
    if (!known.has(key)) text = insertAfter(text, previous, lines);
    previous = key;
  }
  return text;
}

interface Setting {
  readonly key: string;
  readonly lines: string;
}

/** `KEY=value`, or `# KEY=value` for one that is off. */
const assignment = /^\s*(?:#\s*)?(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=/;

function readSettings(text: string): Setting[] {
  const settings: Setting[] = [];
  let above = '';
  for (const line of text.split('\n')) {
    const key = assignment.exec(line)?.[1];
    if (key) settings.push({ key, lines: `${above}${line}` });
    const isComment = !key && line.trimStart().startsWith('#');
    above = isComment ? `${above}${line}\n` : '';
  }
  return settings;
}

/** Below the setting that it follows in theirs, else at the end. */
function insertAfter(text: string, key: string, added: string): string {
  const lines = text.split('\n');
  const at = lines.findLastIndex((line) => assignment.exec(line)?.[1] === key);
  if (at >= 0) return lines.toSpliced(at + 1, 0, added).join('\n');
  return `${text.replace(/\n*$/, '\n')}\n${added}\n`;
}
