import { countEach, listWords } from '../../../src/words.ts';
import { parseSync } from 'oxc-parser';
import type { Merged } from './merged.ts';
import {
  addNeededImports,
  listUndeclaredNames,
} from '../../../src/merge/typescript/needed-imports.ts';
import { takeWholeSide } from '../../../src/project/plan/merge-file.ts';
import { blogText, changedBlogs } from './blog-changes.ts';
import { knownApp, type SchemaStep } from './changed-files.ts';
import { changedFiles, nextApp, type ChangedFile } from './evolutions.ts';
import { reformat } from './normal.ts';
import { applyChange, type Change, findPlace, type OrdinaryEdit } from './ordinary-edits.ts';
import { judge, mergeFile, type MergedFile, type MergeTexts } from './trial.ts';

/** Each single change of the blog's schema, on either engine, and from each to the other. */
export function ordinarySteps(): readonly SchemaStep[] {
  const single = [...changedBlogs()].filter(([name]) => !name.includes(' + '));
  return (['sqlite', 'postgres'] as const).flatMap((engine) => {
    const other = engine === 'sqlite' ? 'postgres' : 'sqlite';
    const before = on(engine, blogText);
    return [
      ...single.map(([name, text]) => ({
        name: `${name}, on ${engine}`,
        before,
        after: on(engine, text),
      })),
      { name: `from ${engine} to ${other}`, before, after: on(other, blogText) },
    ];
  });
}

function on(database: string, text: string): string {
  return JSON.stringify({ ...JSON.parse(text), database }, null, 2);
}

/** What the steps change; a change that is the same on the other engine counts once. */
export function* filesOf(steps: Iterable<SchemaStep>): Generator<ChangedFile> {
  const known = new Set<string>();
  for (const { name, before: was, after: is } of steps) {
    const before = knownApp(was);
    const after = before && nextApp(before, is);
    if (!before || !after) throw new Error(`${name}: the schema is refused.`);
    for (const file of changedFiles({ name, before, after })) {
      const key = [file.path, file.before, file.after].join('\0');
      if (!known.has(key)) yield file;
      known.add(key);
    }
  }
}

/** One edit of an owner in a file that a change of the schema changes. */
interface Day extends MergedFile {
  readonly name: string;
  readonly edit: string;
  readonly isSpread: boolean;
  /** The edit done to the new output, with its words as they are or with their new names; nothing when both change one place. */
  readonly expected: readonly string[];
}

export type MakeDay = () => Promise<Day>;

/** All that the edits make of a file: the second spelling of code as another formatter would leave it. */
export function daysIn(
  { name, path, kind, renames, before: base, after: theirs }: ChangedFile,
  edits: readonly OrdinaryEdit[],
): readonly MakeDay[] {
  const spell = (text: string) => respell(text, renames);
  const near = edits.filter((edit) => edit.path.test(path));
  return near.flatMap((edit) =>
    edit.spellings.flatMap((change, at) => {
      const edited = applyChange(base, change);
      if (edited === undefined) return [];
      return async () => ({
        name: `${name}: ${edit.name}${at === 0 ? '' : ', in another spelling'}`,
        edit: edit.name,
        isSpread: edit.isSpread ?? false,
        kind,
        renames,
        base,
        ours: kind === 'ts' && at > 0 ? await reformatted(edited) : edited,
        theirs,
        expected: expectedOf({ base, theirs }, change, spell).map((it) =>
          kind === 'ts' ? addNeededImports(it, edited) : it,
        ),
      });
    }),
  );
}

const respell = (text: string, renames: ReadonlyMap<string, string>) =>
  text.replace(/[\w$]+/g, (word) => renames.get(word) ?? word);

function expectedOf(
  { base, theirs }: { readonly base: string; readonly theirs: string },
  [find, by, start]: Change,
  spell: (text: string) => string,
): readonly string[] {
  const there = new RegExp(spell(find.source), find.flags);
  const was = findPlace(base, [find, start]);
  if (findPlace(theirs, [there, start]) !== spell(was)) return [];
  return [by, spell(by)].flatMap((text) => applyChange(theirs, [there, text, start]) ?? []);
}

const known = new Map<string, Promise<string>>();

function reformatted(text: string): Promise<string> {
  const found = known.get(text) ?? reformat(text);
  known.set(text, found);
  return found;
}

interface Found {
  /** Of days on which the edit and the change do not meet. */
  readonly apart: number;
  readonly met: number;
  readonly conflicts: readonly string[];
  readonly wrong: readonly string[];
  /** How often edits that met a change were merged, and were shown, by edit. */
  readonly table: string;
}

export async function live(days: Iterable<MakeDay>, merge: MergeTexts = mergeFile): Promise<Found> {
  let apart = 0;
  let met = 0;
  const conflicts: string[] = [];
  const wrong: string[] = [];
  const counts = new Map<string, { merged: number; shown: number }>();
  for (const make of days) {
    const day = await make();
    const merged = await merge(day);
    const isShown = merged.conflicts.length > 0;
    const isApart = day.expected.length > 0;
    if (isApart) apart += 1;
    else met += 1;
    if (isApart && isShown) conflicts.push(day.name);
    if (!isApart || isShown) {
      const count = counts.get(day.edit) ?? { merged: 0, shown: 0 };
      count[isShown ? 'shown' : 'merged'] += 1;
      counts.set(day.edit, count);
    }
    const problem = await problemOf(day, merged);
    if (problem) wrong.push(`${day.name}: ${problem}\n${merged.text}`);
  }
  const table = [...counts]
    .map(([edit, { merged, shown }]) => `  ${edit}: ${shown} conflicts, ${merged} merged`)
    .join('\n');
  return { apart, met, conflicts, wrong, table };
}

/** Merged as if the edit had been made afterwards; or both sides whole in a conflict. */
async function problemOf(day: Day, merged: Merged): Promise<string | undefined> {
  const { kind, ours, theirs, expected } = day;
  const taken = await takeWholeSide(kind, merged.text, 'ours', theirs);
  const lost = ownWords(ours).filter((word) => !taken.includes(word));
  if (lost.length > 0) return `lost ${lost.join(', ')}`;
  if (kind === 'ts' && parseSync('file.ts', ours).errors.length > 0) return 'ours does not parse';
  if (merged.conflicts.length > 0) return problemOfConflicts(day, merged);
  const missed = kind === 'ts' ? listUndeclaredNames(merged.text, ours + theirs) : [];
  if (missed.length > 0) return `nobody declares ${missed.join(', ')}`;
  const outcomes = [];
  for (const text of expected) outcomes.push(await judge({ kind, expected: text }, merged));
  // Where its owner put what was made elsewhere, a name in a text is for the compiler to find.
  const spell = (it: string) => respell(it, day.renames);
  const spelled = { text: spell(merged.text), conflicts: [] };
  for (const text of day.isSpread ? expected : [])
    outcomes.push(await judge({ kind, expected: spell(text) }, spelled));
  return outcomes.length > 0 && outcomes.every((it) => it === 'wrong')
    ? 'not what the edit would make of the new output'
    : undefined;
}

async function problemOfConflicts(
  day: Day,
  { text, conflicts }: Merged,
): Promise<string | undefined> {
  const { kind, ours, theirs } = day;
  const taken = await takeWholeSide(kind, text, 'theirs', theirs);
  const odd = day.isSpread ? [] : oddWords(day, taken);
  if (odd.length > 0) return `theirs would have others of ${odd.join(', ')}`;
  for (const conflict of conflicts) {
    if (!squeezed(ours).includes(squeezed(conflict.ours))) return 'ours is not what stood there';
    if (!squeezed(theirs).includes(squeezed(conflict.theirs))) return 'theirs was not made so';
    const isEmpty = conflict.theirs === '' && conflict.ours !== conflict.base;
    const next = isEmpty ? inPlaceOf(day, conflict.base) : undefined;
    if (next && squeezed(text.replace(/^<{7}[^]*?^>{7}.*\n/gm, '')).includes(squeezed(next)))
      return 'what took the place of the base stands outside of the conflict';
  }
  return undefined;
}

/** Words that a text has more or less often than theirs, except those of the lines that ours added or took out. */
function oddWords({ base, ours, theirs }: Day, text: string): readonly string[] {
  const [was, own] = [base.split('\n'), ours.split('\n')];
  const added = countIn(own.filter((line) => !was.includes(line)).join('\n'));
  const gone = countIn(was.filter((line) => !own.includes(line)).join('\n'));
  const [made, is] = [countIn(theirs), countIn(text)];
  return [...new Set(listWords(theirs + text))].filter((word) => {
    const [more, less] = [added.get(word) ?? 0, gone.get(word) ?? 0];
    const left = (is.get(word) ?? 0) - (made.get(word) ?? 0);
    return left > more || left < -less;
  });
}

const countIn = (text: string): ReadonlyMap<string, number> => countEach(listWords(text));

/** Without what formatters change. */
function squeezed(text: string): string {
  return text.replace(/[\s'"`,;()]/g, '');
}

function ownWords(text: string): readonly string[] {
  return [...new Set(text.match(/\b(?:own(?:_\w+|[A-Z]\w*)?|Own[A-Z]\w*)\b/g))];
}

/** Other statements that theirs has in the place of these. */
function inPlaceOf({ base, theirs }: Day, gone: string): string | undefined {
  const lines = base.split('\n').map((line) => line.trim());
  const news = theirs.split('\n').map((line) => line.trim());
  const [first = ''] = gone.trim().split('\n');
  const at = lines.indexOf(first.trim());
  const before = news.lastIndexOf(lines[at - 1] ?? '');
  const next = news.slice(before + 1, before + 4).join(' ');
  return at > 0 && before >= 0 && !lines.join(' ').includes(next) ? next : undefined;
}
