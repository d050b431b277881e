import type { RenderedFile } from '../../render/rendered-file.ts';
import { isSchemaFile, trackedFiles } from '../base.ts';
import type { FormerFile, Meeting } from './outcome.ts';
import type { Record } from '../record.ts';

export interface Met {
  readonly meetings: readonly Meeting[];
  /** What the last run made and this one does not. */
  readonly left: readonly FormerFile[];
  /** History: it stays as it is. */
  readonly history: readonly FormerFile[];
}

/** Who takes whose place: by stable id, so that files follow their models; else by path. */
export function meetRecord(rendered: readonly RenderedFile[], record: Pick<Record, 'files'>): Met {
  const former = Object.entries(record.files)
    .filter(([path]) => !isSchemaFile(path))
    .map(([path, recorded]): FormerFile => ({ path, recorded }));
  const history = former.filter(({ recorded }) => recorded.policy === 'appended');
  const alive = former.filter(({ recorded }) => recorded.policy !== 'appended');
  const files = trackedFiles(rendered);
  const wanted = new Set(files.map(({ id }) => id));
  const byId = new Map(alive.map((it) => [it.recorded.id, it]));
  const byHome = new Map(
    alive.filter(({ recorded }) => !wanted.has(recorded.id)).map((it) => [homeOf(it), it]),
  );
  const meetings = files.map((file): Meeting => {
    const was = byId.get(file.id) ?? byHome.get(file.home ?? file.path);
    return was ? { file, was } : { file };
  });
  const met = new Set(meetings.map(({ was }) => was));
  return { meetings, left: alive.filter((it) => !met.has(it)), history };
}

function homeOf({ path, recorded }: FormerFile): string {
  return recorded.home ?? path;
}
