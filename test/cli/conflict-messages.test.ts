import { expect, test } from 'vitest';
import { diagnoseConflicts } from '../../src/commands/conflicts.ts';
import { listPlannedConflicts } from '../../src/commands/reported-conflict.ts';
import { printChunks, type Chunk } from '../../src/merge/markers.ts';
import { labelConflict } from '../../src/project/open-conflicts.ts';
import { emptyPlan } from '../../src/project/plan.ts';
import { recordingSession } from '../support/recording-session.ts';

/** What is said about the conflicts of a file. */
function told(...stretches: readonly Chunk[]): readonly string[] {
  const { text: after, conflicts } = printChunks(stretches);
  const change = {
    path: 'src/a.ts',
    action: 'conflict',
    reason: '',
    after,
    mode: '644',
    conflicts: conflicts.map((it) => labelConflict(it, ['Post.title'])),
  } as const;
  const reported = listPlannedConflicts({ ...emptyPlan, changes: [change] });
  const { session } = recordingSession('/project');
  return diagnoseConflicts(session, '/project', reported).map(
    ({ line, message }) => `${line} ${message}`,
  );
}

const both = {
  where: [],
  base: 'const a = 1;\n',
  ours: 'const a = 2;\n',
  theirs: 'const b = 3;\n',
};
const later = { where: [], base: 'use(a);\n', ours: 'use(a );\n', theirs: 'use(b);\n' };

test('both changed the same lines', () => {
  expect(told(both)).toEqual(['1 You and the schema (`Post.title`) changed the same lines.']);
});

test('a place that the owner left alone waits for the one that it depends on', () => {
  const other = { ...both, base: 'x\n', ours: 'y\n', theirs: 'z\n' };
  expect(told(other, '\n', both, '\n', { ...later, waitsFor: 1 })).toEqual([
    '1 You and the schema (`Post.title`) changed the same lines.',
    '9 You and the schema (`Post.title`) changed the same lines.',
    '17 You changed nothing here: this depends on the conflict at line 9.',
  ]);
});

test('a place that needs a name that is gone says so', () => {
  expect(told(later)).toEqual([
    '1 What the schema (`Post.title`) changed here needs a name that your code no longer defines.',
  ]);
  expect(told({ ...later, theirs: '' })).toEqual([
    '1 The schema (`Post.title`) no longer needs this, but your code uses it.',
  ]);
});
