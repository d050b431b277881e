import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Merged } from '../src/merge/conflict.ts';
import { readChangedFiles } from '../test/merge/support/changed-files.ts';
import { makeCollisions } from '../test/merge/support/collisions.ts';
import {
  drawTrials,
  judge,
  lostWords,
  mergeFile,
  type MergedFile,
  type MergeTexts,
  type Sample,
  type Outcome,
} from '../test/merge/support/trial.ts';

// npm run bench:merge [trials] [seed]
const [trials = '1000', seed = '1'] = process.argv.slice(2);
const files = readChangedFiles({ seed: Number(seed), random: 20, pairs: 1 });
const folder = mkdtempSync(join(tmpdir(), 'merge-'));

/** `git merge-file` on the same texts. */
const mergeByGit: MergeTexts = async (texts) => {
  for (const side of ['ours', 'base', 'theirs'] as const)
    writeFileSync(join(folder, side), texts[side]);
  const args = ['merge-file', '-p', '--diff3', 'ours', 'base', 'theirs'];
  const { stdout, status } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  const texts3 = { base: '', ours: '', theirs: '' };
  const conflict = { where: [], line: 0, ...texts3 };
  return { text: stdout, conflicts: Array.from({ length: status ?? 1 }, () => conflict) };
};

const merges: Readonly<Record<string, MergeTexts>> = {
  'keyed merge': mergeFile,
  'git merge-file': mergeByGit,
};

interface Count {
  readonly outcomes: Record<Outcome, number>;
  lost: number;
  milliseconds: number;
}

const emptyCount = (): Count => ({
  outcomes: { same: 0, order: 0, conflict: 0, wrong: 0 },
  lost: 0,
  milliseconds: 0,
});

async function countCommuting(kinds: Pick<Sample, 'among' | 'isReformatted'>): Promise<void> {
  const counts = new Map(Object.keys(merges).map((name) => [name, emptyCount()]));
  const drawn = { seed: Number(seed), count: Number(trials), ...kinds };
  for await (const trial of drawTrials(files, drawn)) {
    for (const [name, count] of counts) {
      const { merged, milliseconds } = await time(merges[name], trial);
      count.outcomes[await judge(trial, merged)] += 1;
      count.lost += lostWords(trial, merged).length;
      count.milliseconds += milliseconds;
    }
  }
  for (const [name, { outcomes, lost, milliseconds }] of counts) {
    const share = ((100 * outcomes.conflict) / drawn.count).toFixed(2);
    const { order, wrong } = outcomes;
    say(
      `  ${name.padEnd(16)} false conflicts ${share} % (${outcomes.conflict} of ${drawn.count}), ` +
        `wrong ${wrong}, other order ${order}, lost words ${lost}, ${(milliseconds / drawn.count).toFixed(1)} ms each`,
    );
  }
}

async function time(
  merge: MergeTexts | undefined,
  texts: MergedFile,
): Promise<{ merged: Merged; milliseconds: number }> {
  const start = performance.now();
  const merged = (await merge?.(texts)) ?? { text: '', conflicts: [] };
  return { merged, milliseconds: performance.now() - start };
}

async function countCollisions(): Promise<void> {
  const collisions = files.flatMap(makeCollisions);
  for (const [name, merge] of Object.entries(merges)) {
    let silent = 0;
    for (const collision of collisions)
      if ((await merge(collision)).conflicts.length === 0) silent += 1;
    say(`  ${name.padEnd(16)} merged in silence ${silent} of ${collisions.length}`);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

say(
  `${files.length} changed files; seed ${seed}; ${execFileSync('git', ['--version'], { encoding: 'utf8' }).trim()}`,
);
say('Edits that commute with the change');
await countCommuting({ among: 'plain', isReformatted: false });
say('The same after another formatter ran over the file');
await countCommuting({ among: 'plain', isReformatted: true });
say(
  'Edits that also speak of their neighbours: moved, commented out, taken out, left early, an arrow',
);
await countCommuting({ among: 'hard', isReformatted: false });
say('Edits that collide with the change');
await countCollisions();
rmSync(folder, { recursive: true });
