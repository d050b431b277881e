import { firstOf } from '../paths.ts';
import type { Conflict } from '../../merge/conflict.ts';
import { merge, type StructuredMerge } from '../../merge/merge.ts';
import type { RenderedFile, Kind } from '../../render/rendered-file.ts';
import type { OnConflict } from '../plan.ts';
import type { BaseAndMine, MergedFile } from './outcome.ts';
import { countEach, type Renamed, spellingsFor, wordsOf } from './spellings.ts';
import type { Change } from '../../evolve/changes/change.ts';
import { findChanges } from '../../evolve/changes/find-changes.ts';
import { pairById } from '../../evolve/pairs.ts';
import { type App, type Model, toOneOf } from '../../model/app.ts';
import { whoMay } from '../../model/describe-access.ts';
import { schemaName } from '../../naming/name.ts';
import { takenLines, takeSide } from '../../merge/markers.ts';
import { operations } from '../../schema/language.ts';

/** The user's text with what changed in a rendered file; both normalized. */
export async function mergeFile(
  file: RenderedFile,
  { base, mine }: BaseAndMine,
  step: {
    readonly elements: readonly Element[];
    readonly renamed: Renamed;
    readonly onConflict: OnConflict;
    readonly mergeTypeScript?: StructuredMerge | undefined;
  },
): Promise<MergedFile> {
  const texts = { base, mine, theirs: file.content };
  const renames = spellingsFor(file, step.renamed, base);
  const { mergeTypeScript, onConflict } = step;
  const merged = await merge({ ...texts, kind: file.kind, labels, renames, mergeTypeScript });
  if (merged.conflicts.length === 0) return { text: merged.text, conflicts: [] };
  const conflicts = merged.conflicts.map((conflict) => ({
    ...conflict,
    elements: elementsBehind(conflict, step.elements, file.model),
  }));
  if (onConflict === 'markers' || onConflict === 'fail')
    return { text: relabel(merged.text, conflicts), conflicts };
  const side = onConflict === 'ours' ? 'mine' : 'theirs';
  const taken = await takeWholeSide(file.kind, merged.text, side, file.content);
  const settled = conflicts.map((it, at) => ({ ...it, line: taken.lines[at] ?? it.line }));
  return { text: taken.text, conflicts: [], settled };
}

const labels = { mine: 'yours', base: 'base', theirs: 'scaffold' };

/** Each conflict names what it comes from. */
function relabel(
  text: string,
  conflicts: readonly (Conflict & { readonly elements: readonly string[] })[],
): string {
  const open = conflicts.values();
  return text.replace(/^>{7} scaffold$/gm, (marker) => {
    const { value } = open.next();
    return value ? `>>>>>>> ${labelOf(value.elements)}` : marker;
  });
}

/** Something of the schema that changed, and the words that speak of it in code. */
export interface Element {
  /** `Post.heading` */
  readonly name: string;
  /** Type name of its model. */
  readonly model?: string;
  readonly words: ReadonlySet<string>;
  readonly isAccess?: boolean;
}

export function findElements(before: App, after: App): readonly Element[] {
  const changes = findChanges(before, after).map(elementOf);
  const { kept } = pairById(before.models, after.models);
  const rules = kept.flatMap(rulesOf);
  const models = kept.flatMap((pair) =>
    settings
      .filter((key) => JSON.stringify(pair.before[key]) !== JSON.stringify(pair.after[key]))
      .map((key) => ({
        name: `${schemaName(pair.after)}.${settingNames[key] ?? key}`,
        model: pair.after.names.type,
        words: new Set(settingWords[key](pair)),
        isAccess: key === 'access',
      })),
  );
  return [...new Map([...rules, ...changes, ...models].map((it) => [it.name, it])).values()];
}

type Pair = { readonly before: Model; readonly after: Model };

/** Who may do what besides the operations: `write accepted` of `Membership` is said at `Membership.accepted`. */
function rulesOf({ before, after }: Pair): readonly Element[] {
  const [was, is] = [whoMay(before), whoMay(after)];
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter(
    (label) => was.get(label) !== is.get(label) && !operations.some((name) => name === label),
  );
  return changed.map((label) => {
    const name = label.replace(/^(?:read|write) /, '');
    const keys = after.fields.filter(({ relation }) => relation === name).map((it) => it.name);
    const words = new Set([name, ...keys]);
    const model = after.names.type;
    return { name: `${schemaName(after)}.${name}`, model, words, isAccess: true };
  });
}

/** Those behind a conflict in a file of this model; of any, when it is nobody's. */
function elementsBehind(
  conflict: Conflict,
  elements: readonly Element[],
  model: string | undefined,
): readonly string[] {
  const { base, theirs } = conflict;
  const near = elements.filter((it) => model === undefined || it.model === model);
  const namedIn = (words: ReadonlySet<string>) =>
    near.filter((it) => [...it.words].some((word) => words.has(word)));
  const [behind = []] = [
    namedIn(changedWords(base, theirs)),
    namedIn(new Set([...wordsOf(base), ...wordsOf(theirs)])),
    model === undefined ? [] : near,
  ].filter(({ length }) => length > 0);
  // What comes or goes as a whole does so for what it is about; who may use it is a part of it.
  const isWhole = base.trim() === '' || theirs.trim() === '';
  const about = isWhole ? behind.filter(({ isAccess }) => !isAccess) : [];
  return (about.length > 0 ? about : behind).map(({ name }) => name);
}

/** Those that one of the texts has more often than the other. */
function changedWords(before: string, after: string): ReadonlySet<string> {
  const [olds, news] = [countEach(wordsOf(before)), countEach(wordsOf(after))];
  const words = [...olds.keys(), ...news.keys()];
  return new Set(words.filter((word) => olds.get(word) !== news.get(word)));
}

/** `scaffold (Post.heading)` */
export function labelOf(elements: readonly string[]): string {
  return elements.length === 0 ? 'scaffold' : `scaffold (${firstOf(elements)})`;
}

/** What a model says that no table knows of. */
const settings = ['access', 'endpoints', 'path', 'orderBy', 'description', 'owner'] as const;

const accessWords =
  'definePolicy policy identify authenticate onRequest viewer everyone signedIn self owner role anyOf allOf when over via admin'.split(
    ' ',
  );

/** What speaks of them in code: the names of the model stand everywhere. */
const settingWords: Readonly<Record<(typeof settings)[number], (pair: Pair) => readonly string[]>> =
  {
    access: ({ after }) => [`${after.names.variable}Policy`, ...accessWords],
    endpoints: ({ before, after }) =>
      [before, after].flatMap(({ names: { type, typePlural } }) => [
        `list${typePlural}`,
        ...['create', 'find', 'update', 'delete'].map((verb) => `${verb}${type}`),
      ]),
    path: ({ before, after }) => [before, after].flatMap(({ path }) => path.match(/\w+/g) ?? []),
    orderBy: () => ['orderBy', 'order_by'],
    description: () => ['description'],
    owner: ({ before, after }) =>
      [before, after].flatMap((model) => {
        const relation = toOneOf(model, model.owner);
        return relation === undefined ? [] : ['owner', relation.name, relation.key];
      }),
  };

const settingNames: Partial<Record<(typeof settings)[number], string>> = { orderBy: 'order_by' };

function elementOf(change: Change): Element {
  const sides = [
    ...('before' in change ? [change.before] : []),
    ...('after' in change ? [change.after] : []),
  ];
  const model = sides.map(modelOf).findLast((it) => it !== undefined);
  return {
    name: change.target,
    words: new Set(sides.flatMap(wordsFor)),
    ...(model && { model }),
  };
}

type ChangedThing = Extract<Change, { after: unknown }>['after'];

function modelOf(side: ChangedThing): string | undefined {
  if ('names' in side) return side.names.type;
  if ('left' in side) return side.left.model;
  return 'model' in side ? side.model.names.type : undefined;
}

function wordsFor(side: ChangedThing): readonly string[] {
  if ('names' in side) return Object.values(side.names);
  if ('left' in side) return [side.table, side.left.column, side.right.column];
  if ('value' in side) return [side.value];
  if ('fields' in side) return side.fields;
  const { name, column, relation, role } = side.field;
  const { type } = side.model.names;
  const ofDeletion = role === 'deleted_at' ? ['softDelete', 'restore', `restore${type}`] : [];
  return [name, column, relation ?? name, ...ofDeletion];
}

/**
 * One side of every conflict, without the imports that only the other side needs, and, where the lines that were made are
 * taken, with those that they need; their owner may have given them up. `next`: as it was made, with every such import.
 * `lines`: where each conflict was.
 */
export async function takeWholeSide(
  kind: Kind,
  text: string,
  side: 'mine' | 'theirs',
  next: string,
): Promise<{ readonly text: string; readonly lines: readonly number[] }> {
  const [taken, lines] = [takeSide(text, side), takenLines(text, side)];
  if (kind !== 'ts') return { text: taken, lines };
  const other = takeSide(text, side === 'mine' ? 'theirs' : 'mine');
  // The compiler takes a third of a second to load.
  const { addNeededImports, dropUnneededNames } =
    await import('../../merge/typescript/needed-imports.ts');
  const without = dropUnneededNames(taken, other);
  const whole = side === 'theirs' ? addNeededImports(without, next) : without;
  // Imports are above all else.
  const more = whole.split('\n').length - taken.split('\n').length;
  return { text: whole, lines: lines.map((line) => line + more) };
}
