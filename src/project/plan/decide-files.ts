import type { RunOptions, Change } from '../plan.ts';
import { isReformatted } from '../../merge/merge.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import { digestTemplates } from '../../render/template-files.ts';
import { decideGone, findCarried, mergeCarried } from './gone.ts';
import { decideOutcome } from './decide-outcome.ts';
import type { Disk, TextFile } from '../disk.ts';
import {
  changed,
  type FileOutcome,
  type FormerFile,
  type DecisionFacts,
  modelOf,
  type Meeting,
  type Gone,
} from './outcome.ts';
import { formerBases, meetRecord, type Met, placeRendered } from './former-files.ts';
import { mergeFile, type Element } from './merge-file.ts';
import type { Project } from '../read-project.ts';
import { plain, withLineEndingsOf } from '../../merge/line-endings.ts';
import { hashText, basePath } from '../paths.ts';
import type { Record } from '../record.ts';
import { importedBy, readAliases, withoutAliases } from '../imports.ts';
import { appAfter } from '../../evolve/heads/stored-migrations.ts';
import { renderProject } from '../render-project.ts';
import { type Selectable, selectOnly, selectRestored } from './select.ts';
import type { ThreeTexts } from '../../merge/conflict.ts';
import { mergeEnv } from '../../merge/env.ts';
import type { App } from '../../model/app.ts';
import { type History, historyOutcomes } from './schema-step.ts';
import type { Renamed } from './spellings.ts';

/**
 * What becomes of every file: of the history, of what is to be, and of what nothing asks for any more. `settings`: of the
 * machine's own `.env`, which no record knows.
 */
export async function decideFiles(
  project: Project,
  next: NextFiles,
): Promise<{ readonly outcomes: readonly FileOutcome[]; readonly settings: readonly Change[] }> {
  const { disk } = project;
  const met = meetArrived(meetRecord(next.rendered, project.record), disk);
  const isSelected = selectOnly(next.only, {
    apps: [project.app, next.app],
    files: [...met.meetings.map(({ file }) => file), ...met.left.map(asFile)],
  });
  const past = historyOutcomes(met.history, next.history, disk);
  const vacated = new Set(past.map(({ change }) => change?.from));
  const deleted = met.meetings.flatMap(({ was }) => (was && !disk(was.path) ? [was] : []));
  const isRestored = selectRestored(next.restore, deleted);
  const baseOf = formerBases(project);
  const isWholeUpgrade = project.record.templates !== digestTemplates() && next.only.length === 0;
  const carried = isWholeUpgrade ? await findCarried(met.meetings, disk, baseOf) : [];
  const world: DecisionFacts = {
    disk: (path) => (vacated.has(path) ? undefined : disk(path)),
    carried,
    onConflict: next.onConflict,
    isRestored,
    lacking: findStranded(met.meetings, (path) => !disk(path) && !isRestored(path)),
    baseOf,
    otherBranch: otherBranch(next.history, project.record),
    gone: next.gone,
    made: next.rendered,
    renamedTemplates: project.renamedTemplates ?? new Set(),
    mergeFile: (file, texts) =>
      mergeCarried(file.path, texts, carried, (it) => mergeFile(file, it, next)),
  };
  const selected = met.meetings.filter(({ file }) => isSelected(file));
  return {
    outcomes: [...past, ...(await decideAll(met, world, isSelected))],
    settings: environmentChange(selected, world),
  };
}

async function decideAll(
  { meetings, left }: Met,
  world: DecisionFacts,
  isSelected: (file: Selectable) => boolean,
): Promise<readonly FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  for (const meeting of meetings) {
    if (isSelected(meeting.file)) outcomes.push(await decideOutcome(meeting, world));
    else if (meeting.was) outcomes.push(untouched(meeting.was));
  }
  for (const former of left) {
    outcomes.push(isSelected(asFile(former)) ? await decideEnd(former, world) : untouched(former));
  }
  return outcomes;
}

function asFile({ path, recorded }: FormerFile): Selectable {
  return { path, model: recorded.model };
}

function untouched({ path, recorded }: FormerFile): FileOutcome {
  return { path, standing: 'left', recorded };
}

/** What the schema has no use for any more. */
async function decideEnd(former: FormerFile, world: DecisionFacts): Promise<FileOutcome> {
  const { path, recorded } = former;
  const found = world.disk(path);
  if (!found) return { path, standing: 'changed' };
  const facts = { path, mode: recorded.mode, conflicts: [], ...modelOf(recorded) };
  if (found.kind === 'text' && (await isAsMade(former, found, world))) {
    const reason = 'The schema no longer needs it.';
    return changed({ ...facts, action: 'delete', reason, before: found.text });
  }
  if (recorded.state === 'ejected') return { path, standing: 'kept', recorded };
  const gone = world.gone.get(path);
  if (gone && found.kind === 'text') return decideGone(gone, found, world);
  const text = found.kind === 'text' ? { before: found.text, after: found.text } : {};
  const reason = 'The schema no longer needs it. You edited it, so it stays and is yours alone.';
  const change: Change = { ...facts, ...text, action: 'eject', reason };
  return changed(change, { recorded: { ...recorded, state: 'ejected' } });
}

/** But for its layout, perhaps, and for the aliases by which it imports. */
export async function isAsMade(
  former: FormerFile,
  found: Pick<TextFile, 'text'>,
  world: Pick<DecisionFacts, 'disk' | 'baseOf'>,
): Promise<boolean> {
  if (hashText(found.text) === former.recorded.base) return true;
  const base = world.baseOf(former);
  if (base === undefined) return false;
  const isThere = (path: string) => world.disk(path)?.kind === 'text';
  const file = { path: former.path, text: plain(found.text) };
  const mine = withoutAliases(file, readAliases(world.disk), isThere);
  return isReformatted(former.recorded.kind, base, mine);
}

/**
 * New code that nothing imports and that imports what its owner has deleted, such as the test of a new model where the
 * tests are gone. By path, what it lacks.
 */
function findStranded(
  meetings: readonly Meeting[],
  isDeleted: (path: string) => boolean,
): ReadonlyMap<string, string> {
  const gone = new Set(
    meetings.flatMap(({ file, was }) => (was && isDeleted(was.path) ? [file.path] : [])),
  );
  if (gone.size === 0) return new Map();
  const code = meetings.map(({ file }) => file).filter(({ kind }) => kind === 'ts');
  const paths = new Set(code.map(({ path }) => path));
  const importsOf = ({ path, content }: RenderedFile) =>
    importedBy(path, content, (it) => paths.has(it));
  const used = new Set(code.flatMap(importsOf));
  return new Map(
    meetings.flatMap(({ file, was }): readonly (readonly [string, string])[] => {
      const lacking = importsOf(file).find((path) => gone.has(path));
      const isStranded = !was && !used.has(file.path) && lacking !== undefined;
      return isStranded ? [[file.path, lacking]] : [];
    }),
  );
}

/**
 * A merged branch may have renamed a model: its files are there under their new names then, with what they were made
 * as. Of what git left under the old ones, nothing is kept that nobody wrote.
 */
function meetArrived(met: Met, disk: Disk): Met {
  const recorded = [...met.meetings.flatMap(({ was }) => was ?? []), ...met.left];
  const known = new Set(recorded.map(({ path }) => path));
  const former: FormerFile[] = [];
  const meetings = met.meetings.map((meeting) => {
    const { was } = meeting;
    const { path } = meeting.file;
    const arrived = was && !known.has(path) ? arrivedAs(path, was, disk) : undefined;
    if (!was || !arrived) return meeting;
    if (disk(was.path)) former.push(was);
    return { ...meeting, was: arrived };
  });
  return { ...met, meetings, left: [...met.left, ...former] };
}

function arrivedAs(path: string, was: FormerFile, disk: Disk): FormerFile | undefined {
  const [old, now, base] = [disk(was.path), disk(path), disk(basePath(path))];
  const isOurs = !old || (old.kind === 'text' && hashText(old.text) === was.recorded.base);
  if (!isOurs || now?.kind !== 'text' || base?.kind !== 'text') return undefined;
  const { state: _, ...recorded } = was.recorded;
  return { path, recorded: { ...recorded, base: hashText(base.text) } };
}

/**
 * What another branch made last of a file, by this version: after a merge by git, its migrations are here, and no record
 * knows them.
 */
function otherBranch(
  { migrations, recorded }: History,
  record: Record,
): (file: RenderedFile) => string | undefined {
  let rendered: readonly RenderedFile[] | undefined;
  const render = () => {
    const foreign = migrations.filter(({ id }) => !recorded.includes(id));
    const last = foreign.findLast(({ texts }) => texts['schema.yaml'] !== undefined);
    const app = last && appAfter(last);
    return app ? placeRendered(renderProject(app, []), record) : [];
  };
  return ({ id, path }) => {
    rendered ??= render();
    const made = rendered.find((it) => it.id === id) ?? rendered.find((it) => it.path === path);
    return made?.content;
  };
}

/**
 * Settings that are new in `.env.example` come to the machine's own `.env`, and a line that still is the example's
 * follows it, as when the database is another; nothing else in it changes.
 */
function environmentChange(
  meetings: readonly Meeting[],
  { disk, baseOf }: Pick<DecisionFacts, 'disk' | 'baseOf'>,
): readonly Change[] {
  const { file, was } = meetings.find((it) => it.file.path === '.env.example') ?? {};
  const found = disk('.env');
  if (!file || !was || found?.kind !== 'text') return [];
  if (was.recorded.base === hashText(file.content)) return [];
  const texts = { base: baseOf(was) ?? '', mine: plain(found.text), theirs: file.content };
  const after = withLineEndingsOf(found.text, mergeEnv({ ...texts, mine: followExample(texts) }));
  if (after === found.text) return [];
  const reason = 'It has the new settings of `.env.example`.';
  const text = { before: found.text, after, mode: found.mode };
  return [{ path: '.env', action: 'merge', reason, ...text, conflicts: [] }];
}

/** Lines that are off stay as they are. */
function followExample({ base, mine, theirs }: ThreeTexts): string {
  const before = new Map(settingsOf(base).map(([line, key]) => [line, key]));
  const after = new Map(settingsOf(theirs).map(([line, key]) => [key, line]));
  return mine
    .split('\n')
    .map((line) => after.get(before.get(line)) ?? line)
    .join('\n');
}

const settingsOf = (text: string) => [...text.matchAll(/^([A-Z][A-Z0-9_]*)=.*$/gm)];

/** The next state of a project's files. */
export interface NextFiles extends Omit<RunOptions, 'schema' | 'renames' | 'accepted'> {
  readonly app: App;
  readonly rendered: readonly RenderedFile[];
  /** What no template makes any more, by path. */
  readonly gone: ReadonlyMap<string, Gone>;
  readonly elements: readonly Element[];
  readonly renamed: Renamed;
  readonly history: History;
}
