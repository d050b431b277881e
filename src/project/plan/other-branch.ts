import { appAfter } from '../../evolve/heads/stored-migration.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import type { History } from '../history.ts';
import { placeRendered } from '../moved/place-rendered.ts';
import type { Record } from '../record.ts';
import { renderProject } from '../render-project.ts';

/**
 * What another branch made last of a file, by this version: after a merge by git, its migrations are here, and no record
 * knows them.
 */
export function otherBranch(
  { migrations, recorded }: History,
  record: Record,
): (file: RenderedFile) => string | undefined {
  let rendered: readonly RenderedFile[] | undefined;
  const render = () => {
    const foreign = migrations.filter(({ id }) => !recorded.includes(id));
    const last = foreign.findLast(({ texts }) => texts['schema.yaml'] !== undefined);
    const app = last && appAfter(last);
    return app ? placeRendered(renderProject(app, { migrations: [] }), record) : [];
  };
  return ({ id, path }) => {
    rendered ??= render();
    const made = rendered.find((it) => it.id === id) ?? rendered.find((it) => it.path === path);
    return made?.content;
  };
}
