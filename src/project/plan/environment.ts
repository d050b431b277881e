import type { FileChange } from '../plan.ts';
import type { DecisionFacts, Meeting } from './outcome.ts';
import { normalized, withLineEndingsOf } from '../../merge/line-endings.ts';
import { hashText } from '../paths.ts';
import { mergeEnv } from '../../merge/env.ts';

/**
 * Adds new settings of `.env.example` to the machine's own `.env`, and updates or removes those that still equal the
 * example's, as for another database; nothing else in it changes.
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
  const after = withLineEndingsOf(found.text, mergeEnv(texts));
  if (after === found.text) return [];
  const reason = 'It has the new settings of `.env.example`.';
  const text = { before: found.text, after, mode: found.mode };
  return [{ path: '.env', action: 'merge', reason, ...text, conflicts: [] }];
}
