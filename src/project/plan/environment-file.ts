import { withLineEndingsOf, plain } from '../../merge/line-endings.ts';
import type { ThreeTexts } from '../../merge/conflict.ts';
import { mergeEnv } from '../../merge/env.ts';
import { hashText } from '../base.ts';
import type { Meeting, World } from './outcome.ts';
import type { Change } from '../plan.ts';

/**
 * Settings that are new in `.env.example` come to the machine's own `.env`, and a line that still is the example's
 * follows it, as when the database is another; nothing else in it changes.
 */
export function environmentChange(
  meetings: readonly Meeting[],
  { disk, baseOf }: Pick<World, 'disk' | 'baseOf'>,
): readonly Change[] {
  const { file, was } = meetings.find((it) => it.file.path === '.env.example') ?? {};
  const found = disk('.env');
  if (!file || !was || found?.kind !== 'text') return [];
  if (was.recorded.base === hashText(file.content)) return [];
  const texts = { base: baseOf(was) ?? '', mine: plain(found.text), theirs: file.content };
  const after = withLineEndingsOf(found.text, mergeEnv({ ...texts, mine: followExample(texts) }));
  if (after === found.text) return [];
  return [
    {
      path: '.env',
      action: 'merge',
      reason: 'It has what is new in `.env.example`.',
      before: found.text,
      after,
      mode: found.mode,
      conflicts: [],
    },
  ];
}

/** Lines that are off stay as they are. */
function followExample({ base, mine, theirs }: ThreeTexts): string {
  const before = new Map(settingsOf(base).map(([key, line]) => [line, key]));
  const after = new Map(settingsOf(theirs));
  return mine
    .split('\n')
    .map((line) => after.get(before.get(line) ?? '') ?? line)
    .join('\n');
}

function settingsOf(text: string): readonly (readonly [string, string])[] {
  return text.split('\n').flatMap((line) => {
    const [, key] = /^([A-Z][A-Z0-9_]*)=/.exec(line) ?? [];
    return key === undefined ? [] : [[key, line] as const];
  });
}
