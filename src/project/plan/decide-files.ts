import { isReformatted } from '../../merge/is-reformatted.ts';
import type { Kind, RenderedFile } from '../../render/rendered-file.ts';
import { digestTemplates } from '../../render/template-files.ts';
import { carryDeclarations } from './carry-declarations.ts';
import { decideEnd } from './decide-end.ts';
import { decideFate } from './decide-fate.ts';
import type { Disk } from '../disk.ts';
import { environmentChange } from './environment-file.ts';
import type { BaseAndMine, Fate, FormerFile, World } from './fate.ts';
import { findStranded } from './find-stranded.ts';
import { formerBases } from './former-bases.ts';
import { historyFates } from './history-fates.ts';
import { meetRecord, type Met } from './meet.ts';
import { meetArrived } from './meet-arrived.ts';
import { mergeFile } from './merge-file.ts';
import { type Selectable, selectOnly, selectRestored } from './only.ts';
import type { NextFiles } from './next-files.ts';
import { otherBranch } from './other-branch.ts';
import type { Change } from '../plan.ts';
import type { Project } from '../read-project.ts';

interface Decided {
  readonly fates: readonly Fate[];
  /** To the machine's own `.env`, which no record knows. */
  readonly settings: readonly Change[];
}

/** What becomes of every file: of the history, of what is to be, and of what nothing asks for any more. */
export async function decideFiles(project: Project, next: NextFiles, disk: Disk): Promise<Decided> {
  const met = meetArrived(meetRecord(next.rendered, project.record), disk);
  const isSelected = selectOnly(next.only, {
    apps: [project.app, next.app],
    files: [...met.meetings.map(({ file }) => file), ...met.left.map(asFile)],
  });
  const past = historyFates(met.history, next.history, { step: next.step, disk });
  const vacated = new Set(past.map(({ change }) => change?.from));
  const deleted = met.meetings.flatMap(({ was }) => (was && !disk(was.path) ? [was] : []));
  const isRestored = selectRestored(next.restore, deleted);
  const baseOf = formerBases(project, disk);
  const isWholeUpgrade = project.record.templates !== digestTemplates() && next.only.length === 0;
  const carriage = await carryDeclarations(isWholeUpgrade ? met.meetings : [], { disk, baseOf });
  const world: World = {
    disk: (path) => (vacated.has(path) ? undefined : disk(path)),
    carriage,
    onConflict: next.onConflict,
    isRestored,
    lacking: findStranded(met.meetings, (path) => !disk(path) && !isRestored(path)),
    baseOf,
    otherBranch: otherBranch(next.history, project.record),
    gone: next.gone,
    renamedTemplates: project.renamedTemplates ?? new Set(),
    mergeFile: (file: RenderedFile, texts: BaseAndMine) =>
      carriage.merge(file.path, texts, (it) => mergeFile(file, it, next)),
    isReformatted: (kind: Kind, texts: BaseAndMine) => isReformatted({ kind, ...texts }),
  };
  const selected = met.meetings.filter(({ file }) => isSelected(file));
  return {
    fates: [...past, ...(await decideAll(met, world, isSelected))],
    settings: environmentChange(selected, world),
  };
}

async function decideAll(
  { meetings, left }: Met,
  world: World,
  isSelected: (file: Selectable) => boolean,
): Promise<readonly Fate[]> {
  const fates: Fate[] = [];
  for (const meeting of meetings) {
    if (isSelected(meeting.file)) fates.push(await decideFate(meeting, world));
    else if (meeting.was) fates.push(untouched(meeting.was));
  }
  for (const former of left) {
    fates.push(isSelected(asFile(former)) ? await decideEnd(former, world) : untouched(former));
  }
  return fates;
}

function asFile({ path, recorded }: FormerFile): Selectable {
  return { path, model: recorded.model };
}

function untouched({ path, recorded }: FormerFile): Fate {
  return { path, standing: 'left', recorded };
}
