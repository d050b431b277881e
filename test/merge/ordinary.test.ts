import { expect, test } from 'vitest';
import { readOlderProject } from '../regenerate/support/older-project.ts';
import { say } from '../support/say.ts';
import { goldenApps } from '../support/golden-apps.ts';
import { products } from '../support/products.ts';
import { isDeep, isFull, searchSeed } from '../support/trials.ts';
import { numbers } from './support/dice.ts';
import type { ChangedFile } from './support/evolutions.ts';
import { daysIn, filesOf, live, type MakeDay, ordinarySteps } from './support/ordinary-days.ts';
import { ruleSteps } from './support/rule-changes.ts';
import {
  applyChange,
  formerDeletions,
  formerEdits,
  ordinaryEdits,
} from './support/ordinary-edits.ts';
import { mergeFile, type MergeTexts } from './support/trial.ts';

/** `SEED=… npx vitest run test/merge/ordinary.test.ts` repeats a run. */
const seed = searchSeed();

/** Every edit in every file that a change of the schema changes; in a quick run a few of them, after a few changes. */
function* ordinaryDays(): Generator<MakeDay> {
  const steps = ordinarySteps();
  if (isFull) {
    for (const file of filesOf(steps)) yield* daysIn(file, ordinaryEdits);
    return;
  }
  const random = numbers(seed);
  const few = Array.from({ length: 6 }, () => steps.at(random() % steps.length) ?? []).flat();
  const days = [...filesOf(few)].flatMap((file) => daysIn(file, ordinaryEdits));
  const left = [...days];
  const draw = () => left.splice(random() % left.length, 1);
  const drawn = new Set(Array.from({ length: 200 }, draw).flat());
  // Those of one file come one after the other, so that it is read once.
  yield* days.filter((day) => drawn.has(day));
}

test('an ordinary edit and a change elsewhere never conflict, and those that meet stay whole', async () => {
  const { apart, met, conflicts, wrong, table } = await live(ordinaryDays());
  say(`ordinary edits: SEED=${seed}, ${apart} apart, ${met} at one place\n${table}`);
  expect(wrong).toEqual([]);
  expect(conflicts.length, conflicts.join('\n')).toBeLessThanOrEqual(apart * 0.003);
});

test('each edit has a place in a golden project', () => {
  const files = goldenApps.flatMap(({ render }) => render());
  const homeless = ordinaryEdits.flatMap(({ name, path, spellings }) => {
    const near = files.filter((file) => path.test(file.path));
    return spellings.flatMap((change, at) =>
      near.some(({ content }) => applyChange(content, change) !== undefined)
        ? []
        : [`${name}, spelling ${at + 1}`],
    );
  });
  expect(homeless).toEqual([]);
});

/** The rules of a product, of all of them in a deep run, with every edit of a policy. */
function ruledDays(): readonly MakeDay[] {
  const all = (isDeep ? products : ['tracker']).flatMap(ruleSteps);
  const random = numbers(seed);
  const few = Array.from({ length: 5 }, () => all.at(random() % all.length) ?? []).flat();
  const files = [...filesOf(isFull ? all : few)];
  const policies = files.filter(({ path }) => path.endsWith('/policy.ts'));
  return policies.flatMap((file) => daysIn(file, ordinaryEdits));
}

test('a rule is added, tightened and loosened in a policy that its owner has edited', async () => {
  const { apart, conflicts, wrong } = await live(ruledDays());
  expect(apart).toBeGreaterThan(isFull ? 400 : 10);
  expect(wrong).toEqual([]);
  expect(conflicts).toEqual([]);
});

/** As projects up to 0.4.1 have them: what soft delete adds is in the chains that their owner edits. */
function formerQueries(): readonly [kept: string, soft: string] {
  const kept = readOlderProject('0.4.1').get('src/tags/queries.ts') ?? '';
  const deletion = "await open.deleteFrom('tags').where('id', '=', request.id).execute();";
  const soft = kept
    .replace('{ viewer }: ListScope', '{ viewer, deleted }: ListScope')
    .replace(
      "return database.selectFrom('tags')",
      "return database\n    .selectFrom('tags')\n    .$call(isDeleted('tags.deleted_at', deleted))\n    ",
    )
    .replace(
      ".where('tags.id', '=', id)",
      ".where('tags.id', '=', id)\n    .where('tags.deleted_at', 'is', null)",
    )
    .replace(
      deletion,
      "await open\n      .updateTable('tags')\n      .set({ deleted_at: new Date().toISOString() })\n      .where('id', '=', request.id)\n      .execute();",
    )
    .replace('  type FindRow,', '  type FindRow,\n  isDeleted,');
  return [kept, soft];
}

/** The days on which rows are no longer deleted for good, or are again. */
function formerFiles(): readonly ChangedFile[] {
  const [kept, soft] = formerQueries();
  const path = 'src/tags/queries.ts';
  const file = { path, kind: 'ts', otherTemplates: false, renames: new Map() } as const;
  return [
    { ...file, name: 'tags can be restored', before: kept, after: soft },
    { ...file, name: 'tags are deleted for good', before: soft, after: kept },
  ];
}

test('the same holds for every edit of a query and soft delete', async () => {
  const edits = [...formerEdits, ...ordinaryEdits];
  const all = formerFiles().flatMap((it) => daysIn(it, edits));
  const { apart, conflicts, wrong } = await live(
    isFull ? all : all.filter((_, at) => at % 3 === 0),
  );
  expect(apart).toBeGreaterThan(isFull ? 60 : 20);
  expect(wrong).toEqual([]);
  expect(conflicts).toEqual([]);
});

const deletions = () => formerFiles().flatMap((file) => daysIn(file, formerDeletions));

test('an edit of a statement that the change replaces is shown', async () => {
  const { apart, met, wrong, table } = await live(deletions());
  expect(wrong).toEqual([]);
  expect({ apart, met }).toEqual({ apart: 0, met: 4 });
  expect(table).toContain('4 conflicts, 0 merged');
});

/** The replacement of the base moved above the markers, with nothing left between them. */
const halved: MergeTexts = async (file) => {
  const { text, conflicts } = await mergeFile(file);
  const [only] = conflicts;
  if (!only || only.theirs === '') return { text, conflicts };
  const marked = text.replace(/^<{7}[^]*?^>{7}.*\n/m, (it) =>
    it.replace(only.theirs, '').replace(/^/, () => only.theirs),
  );
  return { text: marked, conflicts: [{ ...only, theirs: '' }] };
};

test('half of a conflict outside of its markers is found', async () => {
  const { wrong } = await live(deletions(), halved);
  expect(wrong.join('\n')).toContain('stands outside of the conflict');
});
