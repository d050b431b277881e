import { dressLike, plain } from '../merge/dress.ts';
import { mergeEnv } from '../merge/env.ts';
import { hashText } from './base.ts';
import type { Disk } from './disk.ts';
import type { FormerFile } from './fate.ts';
import type { Met } from './meet.ts';
import type { Change } from './plan.ts';

/** Settings that are new in `.env.example` come to the machine's own `.env`; nothing else in it changes. */
export function environmentChange(
  { meetings }: Met,
  disk: Disk,
  baseOf: (file: FormerFile) => string | undefined,
): readonly Change[] {
  const { file, was } = meetings.find((it) => it.file.path === '.env.example') ?? {};
  const found = disk('.env');
  if (!file || !was || found?.kind !== 'text') return [];
  if (was.recorded.base === hashText(file.content)) return [];
  const texts = { base: baseOf(was) ?? '', mine: plain(found.text), theirs: file.content };
  const after = dressLike(found.text, mergeEnv(texts));
  if (after === found.text) return [];
  return [
    {
      path: '.env',
      action: 'merge',
      reason: 'Settings that are new in `.env.example`.',
      before: found.text,
      after,
      mode: found.mode,
      conflicts: [],
    },
  ];
}
