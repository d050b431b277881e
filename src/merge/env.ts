import type { Labels, Merged, ThreeTexts } from './conflict.ts';
import { env } from './env/parse.ts';
import { settingKey } from './env/setting.ts';
import { mergeTrees } from './keyed/merge-trees.ts';

/** By setting, with the order and the layout of mine; a value that both sides changed is a conflict. */
export function mergeSettings(texts: ThreeTexts, labels: Labels): Merged | undefined {
  const [base, mine, theirs] = [texts.base, texts.mine, texts.theirs].map(env.parse);
  if (!base || !mine || !theirs) return undefined;
  return mergeTrees({ base, mine, theirs }, { language: env, labels, renames: new Map() });
}

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

function readSettings(text: string): Setting[] {
  const settings: Setting[] = [];
  let above = '';
  for (const line of text.split('\n')) {
    const key = settingKey(line);
    if (key) settings.push({ key, lines: `${above}${line}` });
    const isComment = !key && line.trimStart().startsWith('#');
    above = isComment ? `${above}${line}\n` : '';
  }
  return settings;
}

/** Below the setting that it follows in theirs, else at the end. */
function insertAfter(text: string, key: string, added: string): string {
  const lines = text.split('\n');
  const at = lines.findLastIndex((line) => settingKey(line) === key);
  if (at >= 0) return lines.toSpliced(at + 1, 0, added).join('\n');
  return `${text.replace(/\n*$/, '\n')}\n${added}\n`;
}
