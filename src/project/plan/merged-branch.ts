import type { RenderedFile } from '../../render/rendered-file.ts';
import type { Disk } from '../disk.ts';
import type { FormerFile } from './outcome.ts';
import { type Met, placeRendered } from './former-files.ts';
import { hashText, basePath } from '../paths.ts';
import type { ProjectRecord } from '../record.ts';
import { findAppAfter } from '../../evolve/heads/stored-migrations.ts';
import { renderProject } from '../render-project.ts';
import type { History } from './schema-step.ts';

/**
 * A merged branch may have renamed a model: its files then have their new names and bases already, and unedited files
 * that git left under the old ones are removed.
 */
export function meetArrived(met: Met, disk: Disk): Met {
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

/** What a merged branch last made of a file: its migrations are here, but not in the record. */
export function otherBranch(
  { migrations, recorded }: History,
  record: ProjectRecord,
): (file: RenderedFile) => string | undefined {
  let rendered: readonly RenderedFile[] | undefined;
  const render = () => {
    const foreign = migrations.filter(({ id }) => !recorded.includes(id));
    const last = foreign.findLast(({ texts }) => texts['schema.yaml'] !== undefined);
    const app = last && findAppAfter(last);
    return app ? placeRendered(renderProject(app, []), record) : [];
  };
  return ({ id, path }) => {
    rendered ??= render();
    const made = rendered.find((it) => it.id === id) ?? rendered.find((it) => it.path === path);
    return made?.content;
  };
}
