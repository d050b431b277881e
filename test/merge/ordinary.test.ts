import { expect, test } from 'vitest';
import type { Merged } from '../../src/merge/conflict.ts';
import { takeSide } from '../../src/merge/markers.ts';
import { say } from '../support/say.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { type SchemaStep, schemaSteps } from './support/changed-files.ts';
import { readOlderProject } from '../regenerate/support/older-project.ts';
import { diceOf, numbers } from './support/dice.ts';
import { appOf, changedFiles, nextApp, type ChangedFile } from './support/evolutions.ts';
import { reformat } from './support/normal.ts';
import { ordinaryEdits, type OrdinaryEdit } from './support/ordinary-edits.ts';
import { judge, mergeFile, type MergedFile, type MergeTexts } from './support/trial.ts';

/** `SEED=… npx vitest run test/merge/ordinary.test.ts` repeats a run. */
const seed = searchSeed();
const count = trials({ quick: 120, full: 1500, deep: 40_000 });

/** One edit of an owner in a file that a change of the schema changes, as they typed it or as their formatter left it. */
interface Day extends MergedFile {
  readonly name: string;
  /** The edit done to the new output; undefined where what it was done to is gone. */
  readonly expected: string | undefined;
  readonly isAtOnePlace: boolean;
}

/** As many as leave time for the edits: each makes two apps. */
function drawSteps(random: () => number) {
  const all = schemaSteps().flatMap((step) => [step, onPostgres(step)]);
  const drawn = Math.min(all.length, Math.max(8, count / 25));
  return Array.from(
    { length: drawn },
    () => all[random() % all.length] ?? { name: '', before: '', after: '' },
  );
}

function onPostgres({ name, before, after }: SchemaStep): SchemaStep {
  return { name: `${name}, on postgres`, before: there(before), after: there(after) };
}

function there(text: string): string {
  return text.replace('database: sqlite', 'database: postgres');
}

/** So many days, the same for the same seed; each file of a step is rendered once. */
async function* drawDays(): AsyncGenerator<Day> {
  const random = numbers(seed);
  const steps = drawSteps(random).map(filesOf);
  let missing = count;
  for (let round = 0; missing > 0 && round < 400 * count; round += 1) {
    const { kind, place, detail } = diceOf(random);
    const edit = ordinaryEdits[place % ordinaryEdits.length];
    const near = (steps[kind % steps.length] ?? []).filter(({ path }) => edit?.path.test(path));
    const file = near[detail % Math.max(1, near.length)];
    const day = edit && file && (await makeDay(edit, file, (kind + place) % 2 === 1));
    if (!day) continue;
    missing -= 1;
    yield day;
  }
}

function filesOf({ name, before: was, after: is }: SchemaStep): readonly ChangedFile[] {
  const before = appOf(was);
  const after = before && nextApp(before, is);
  return before && after ? changedFiles({ name, before, after }) : [];
}

/** Every edit of a query on the day on which rows are no longer deleted for good, or are again. */
async function* softDays(): AsyncGenerator<Day> {
  const steps = schemaSteps().filter(({ name }) => name === 'comments can be restored');
  const back = steps.map(({ name, before, after }) => ({ name, before: after, after: before }));
  for (const file of [...steps, ...back].flatMap(filesOf).concat(formerQueries())) {
    for (const [at, edit] of ordinaryEdits.entries()) {
      const isOne = edit.path.test(file.path) && file.path.endsWith('queries.ts');
      const day = isOne ? await makeDay(edit, file, at % 2 === 1) : undefined;
      if (day) yield day;
    }
  }
}

/** As projects up to 0.4.1 have them: what a change of the schema adds stands in the chains that their owner edits. */
function formerQueries(): readonly ChangedFile[] {
  const path = 'src/tags/queries.ts';
  const kept = readOlderProject('0.4.1').get(path) ?? '';
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
  const file = { path, kind: 'ts', otherTemplates: false, renames: new Map() } as const;
  return [
    { ...file, name: 'tags can be restored', before: kept, after: soft },
    { ...file, name: 'tags are deleted for good', before: soft, after: kept },
  ];
}

async function makeDay(
  edit: OrdinaryEdit,
  { name, kind, renames, before, after }: ChangedFile,
  isReformatted: boolean,
): Promise<Day | undefined> {
  const edited = edit.apply(before);
  if (edited === undefined) return undefined;
  const mine = isReformatted ? await reformat(edited) : edited;
  return {
    name: `${name}: ${edit.name}${isReformatted ? ', in another layout' : ''}`,
    kind,
    renames,
    base: before,
    mine,
    theirs: after,
    expected: edit.apply(after),
    isAtOnePlace: edit.meets?.test(name) ?? false,
  };
}

interface Found {
  /** Of days on which the edit and the change do not meet. */
  readonly apart: number;
  readonly conflicts: readonly string[];
  readonly wrong: readonly string[];
}

async function live(days: AsyncIterable<Day>, merge: MergeTexts = mergeFile): Promise<Found> {
  let apart = 0;
  const conflicts: string[] = [];
  const wrong: string[] = [];
  for await (const day of days) {
    const merged = await merge(day);
    const { expected } = day;
    const isApart = expected !== undefined && !day.isAtOnePlace;
    if (isApart) apart += 1;
    if (isApart && merged.conflicts.length > 0) conflicts.push(day.name);
    const problem = await problemOf(day, merged);
    if (problem) wrong.push(`${day.name}: ${problem}\n${merged.text}`);
  }
  return { apart, conflicts, wrong };
}

/** Merged as if the edit had been made afterwards; or both sides whole in a conflict. */
async function problemOf(day: Day, merged: Merged): Promise<string | undefined> {
  const { expected, mine, base, theirs } = day;
  const ours = takeSide(merged.text, 'mine');
  const lost = ownWords(mine).filter((word) => !ours.includes(word));
  if (lost.length > 0) return `lost ${lost.join(', ')}`;
  if (merged.conflicts.length === 0) {
    if (expected === undefined || day.isAtOnePlace) return undefined;
    const outcome = await judge({ kind: day.kind, expected }, merged);
    return outcome === 'wrong' ? 'not what the edit would make of the new output' : undefined;
  }
  const emitted = ownWords(base + theirs);
  const left = ownWords(takeSide(merged.text, 'theirs')).filter((word) => !emitted.includes(word));
  if (left.length > 0) return `theirs would keep ${left.join(', ')}`;
  return merged.conflicts.some(
    (it) => it.mine !== '' && it.theirs === '' && isReplaced(day, it.base),
  )
    ? 'what took the place of the base stands outside of the conflict'
    : undefined;
}

const ownWords = (text: string) => [
  ...new Set(text.match(/\b(?:own(?:_\w+|[A-Z]\w*)?|Own[A-Z]\w*)\b/g)),
];

/** Whether theirs has other statements in the place of these. */
function isReplaced({ base, theirs }: Day, gone: string): boolean {
  const lines = base.split('\n').map((line) => line.trim());
  const news = theirs.split('\n').map((line) => line.trim());
  const [first = ''] = gone.trim().split('\n');
  const at = lines.indexOf(first.trim());
  const before = news.lastIndexOf(lines[at - 1] ?? '');
  const next = news.slice(before + 1, before + 4).join(' ');
  return at > 0 && before >= 0 && !lines.join(' ').includes(next);
}

test('an ordinary edit and a change elsewhere never conflict, and those that meet stay whole', async () => {
  const { apart, conflicts, wrong } = await live(drawDays());
  say(`ordinary edits: SEED=${seed}, ${conflicts.length} conflicts of ${apart}`);
  for (const name of conflicts) say(`  ${name}`);
  expect(wrong).toEqual([]);
  expect(conflicts.length, conflicts.join('\n')).toBeLessThanOrEqual(apart * 0.003 + 1);
});

test('so it is with every edit of a query and soft delete', async () => {
  const { apart, conflicts, wrong } = await live(softDays());
  expect(apart).toBeGreaterThan(40);
  expect(wrong).toEqual([]);
  expect(conflicts).toEqual([]);
});

/** What takes the place of the base put above the markers, with nothing left between them. */
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
  const { wrong } = await live(softDays(), halved);
  expect(wrong.join('\n')).toContain('stands outside of the conflict');
});
