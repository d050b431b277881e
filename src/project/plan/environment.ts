import type { FileChange } from '../plan.ts';
import type { DecisionFacts, Meeting } from './outcome.ts';
import { normalized, withLineEndingsOf } from '../../merge/line-endings.ts';
import { hashText } from '../paths.ts';
import type { ThreeTexts } from '../../merge/conflict.ts';
import { mergeEnv } from '../../merge/env.ts';

/**
 * Adds new settings of `.env.example` to the machine's own `.env`, and updates lines that still equal the example's, as
 * for another database; nothing else in it changes.
 */
export function planEnvironment(
  meetings: readonly Meeting[],
  { disk, baseOf }: Pick<DecisionFacts, 'disk' | 'baseOf'>,
): readonly FileChange[] {
  const { file, was } = meetings.find((it) => it.file.path === '.env.example') ?? {};
  const found = disk('.env');
  if (!file || !was || found?.kind !== 'text') return [];
  if (was.recorded.base === hashText(file.content)) return [];
  const texts = { base: baseOf(was) ?? '', mine: normalized(found.text), theirs: file.content };
  const after = withLineEndingsOf(found.text, mergeEnv({ ...texts, mine: followExample(texts) }));
  if (after === found.text) return [];
  const reason = 'It has the new settings of `.env.example`.';
  const text = { before: found.text, after, mode: found.mode };
  return [{ path: '.env', action: 'merge', reason, ...text, conflicts: [] }];
}

/** Commented lines stay as they are. */
function followExample({ base, mine, theirs }: ThreeTexts): string {
  const before = new Map(settingsOf(base).map(([line, key]) => [line, key]));
  const after = new Map(settingsOf(theirs).map(([line, key]) => [key, line]));
  return mine
    .split('\n')
    .map((line) => after.get(before.get(line)) ?? line)
    .join('\n');
}

const settingsOf = (text: string) => [...text.matchAll(/^([A-Z][A-Z0-9_]*)=.*$/gm)];
