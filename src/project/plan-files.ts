import { isReformatted } from '../merge/is-reformatted.ts';
import type { App } from '../model/app.ts';
import type { Kind, RenderedFile } from '../render/rendered-file.ts';
import { digestTemplates } from '../render/template-files.ts';
import { keepBooks } from './bookkeeping.ts';
import { openDisk } from './disk.ts';
import { environmentChange } from './environment-file.ts';
import { decideEnd, decideFate } from './decide-fate.ts';
import type { BaseAndMine, Fate, FormerFile, OnConflict, World } from './fate.ts';
import type { History } from './history.ts';
import { historyFates } from './history-fates.ts';
import { meetRecord, type Met } from './meet.ts';
import { mergeFile } from './merge-file.ts';
import { type Selectable, selectOnly, selectRestored } from './only.ts';
import { formerBases } from './former-bases.ts';
import type { Plan } from './plan.ts';
import type { Project } from './read-project.ts';
import { relocateImports } from './relocate-imports.ts';
import { printSnapshot, type Record, recordRun } from './record.ts';
import { refuseBlocked, refuseMarked } from './refuse-blocked.ts';
import type { HistoryStep } from './schema-step.ts';
import type { Element } from './elements.ts';
import type { Renamed } from './spellings.ts';

/** The next state of a project's files. */
export interface NextFiles {
  readonly app: App;
  readonly schemaText: string;
  readonly rendered: readonly RenderedFile[];
  readonly elements: readonly Element[];
  readonly renamed: Renamed;
  readonly onConflict: OnConflict;
  readonly only: readonly string[];
  readonly restore: readonly string[];
  readonly history: History;
  readonly step: HistoryStep;
}

export async function planFiles(project: Project, next: NextFiles): Promise<Plan> {
  const { folder, record } = project;
  const disk = openDisk(folder);
  const met = meetRecord(next.rendered, record);
  const isSelected = selectOnly(next.only, {
    apps: [project.app, next.app],
    files: [...met.meetings.map(({ file }) => file), ...met.left.map(asFile)],
  });
  const known = met.meetings.flatMap(({ was }) => was ?? []);
  const past = historyFates(met.history, next.history, { step: next.step, disk });
  const vacated = new Set(past.map(({ change }) => change?.from));
  const world = {
    disk: (path: string) => (vacated.has(path) ? undefined : disk(path)),
    onConflict: next.onConflict,
    isRestored: selectRestored(
      next.restore,
      known.filter(({ path }) => !disk(path)),
    ),
    baseOf: formerBases(project, disk),
    mergeFile: (file: RenderedFile, texts: BaseAndMine) => mergeFile(file, texts, next),
    isReformatted: (kind: Kind, texts: BaseAndMine) => isReformatted({ kind, ...texts }),
  };
  const fates = [...past, ...(await decideAll(met, world, isSelected))];
  refuseMarked(fates);
  const wanted = [
    ...fates.flatMap(({ change }) => change ?? []),
    ...environmentChange(
      met.meetings.filter(({ file }) => isSelected(file)),
      world,
    ),
  ].toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const changes = relocateImports(wanted, disk);
  refuseBlocked(changes, disk);
  const isWhole = next.only.length === 0;
  const newRecord = nextRecord(project, next, fates);
  return {
    changes,
    kept: count(fates, 'kept'),
    unchanged: count(fates, 'unchanged'),
    left: count(fates, 'left'),
    bookkeeping: keepBooks(
      {
        former: record,
        record: newRecord,
        fates,
        next: new Map(next.rendered.map(({ path, content }) => [path, content])),
        own: next.rendered.filter(({ path }) => path.startsWith('.scaffold/')),
        ...(isWhole && { snapshot: printSnapshot(next.app) }),
      },
      disk,
    ),
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

function count(fates: readonly Fate[], wanted: Fate['standing']): number {
  return fates.filter(({ standing }) => standing === wanted).length;
}

function asFile({ path, recorded }: FormerFile) {
  return { path, model: recorded.model };
}

function untouched({ path, recorded }: FormerFile): Fate {
  return { path, standing: 'left', recorded };
}

/** A run for a part of the files leaves the schema where it was, for a later run to see. */
function nextRecord(project: Project, next: NextFiles, fates: readonly Fate[]): Record {
  const files = fates.flatMap(({ path, recorded }) =>
    recorded ? [[path, recorded] as const] : [],
  );
  const { app, schemaText } = next;
  const record = recordRun({ app, files, templates: digestTemplates(), schemaText });
  if (next.only.length === 0) return record;
  const { files: _, ...former } = project.record;
  return { ...record, ...former };
}
