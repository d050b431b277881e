import { plain } from '../../merge/line-endings.ts';
import { basePath, hashText } from '../base.ts';
import type { Disk } from '../disk.ts';
import type { FormerFile } from './outcome.ts';
import { placeRendered } from '../moved/place-rendered.ts';
import type { Project } from '../read-project.ts';
import { renderProject } from '../render-project.ts';

/**
 * What was emitted last: as it was kept; or, where that is lost or was edited, what this version makes of the schema of
 * that time. Whatever of the file differs from it counts as the user's.
 */
export function formerBases(
  project: Project,
  disk: Disk,
): (file: FormerFile) => string | undefined {
  let rendered: ReadonlyMap<string, string> | undefined;
  const renderAgain = () =>
    (rendered ??= new Map(
      placeRendered(renderProject(project.app, { migrations: [] }), project.record).map(
        ({ id, content }) => [id, content],
      ),
    ));
  return ({ path, recorded }) => {
    const moved = project.bases?.get(path);
    if (moved !== undefined) return moved;
    const kept = disk(basePath(path));
    if (kept?.kind === 'text' && hashText(kept.text) === recorded.base) return plain(kept.text);
    return renderAgain().get(recorded.id);
  };
}
