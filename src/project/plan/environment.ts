import type { FileChange } from '../plan.ts';
import type { DecisionContext } from './context.ts';
import type { MatchedFile } from './outcome.ts';
import { toUnixLines, withLineEndingsOf } from '../../merge/line-endings.ts';
import { hashText } from '../paths.ts';
import type { ThreeTexts } from '../../merge/conflict.ts';
import { mergeEnv } from '../../merge/env.ts';

/**
 * Adds new settings of `.env.example` to the machine's own `.env`, and updates the lines that still equal the example's,
 * such as the URL of another database. Other lines stay.
 */
export function planEnvironment(
  matched: readonly MatchedFile[],
  { disk, baseOf }: Pick<DecisionContext, 'disk' | 'baseOf'>,
): readonly FileChange[] {
  const { file, former } = matched.find((it) => it.file.path === '.env.example') ?? {};
  const found = disk('.env');
  if (!file || !former || found?.kind !== 'text') return [];
  if (former.recorded.base === hashText(file.content)) return [];
  const texts = {
    base: baseOf(former) ?? '',
    ours: toUnixLines(found.text),
    theirs: file.content,
  };
  const after = withLineEndingsOf(found.text, mergeEnv({ ...texts, ours: followExample(texts) }));
  if (after === found.text) return [];
  const reason = 'It has the new settings of `.env.example`.';
  const text = { before: found.text, after, mode: found.mode };
  return [{ path: '.env', action: 'merge', reason, ...text, conflicts: [] }];
}

/** Replaces lines that equal the old example's by the new example's. Ignores comments. */
function followExample({ base, ours, theirs }: ThreeTexts): string {
  const before = new Map(matchSettings(base).map(([line, key]) => [line, key]));
  const after = new Map(matchSettings(theirs).map(([line, key]) => [key, line]));
  return ours
    .split('\n')
    .map((line) => after.get(before.get(line)) ?? line)
    .join('\n');
}

const matchSettings = (text: string) => [...text.matchAll(/^([A-Z][A-Z0-9_]*)=.*$/gm)];
