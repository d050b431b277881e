import type { RenderedFile } from '../../render/rendered-file.ts';
import type { Disk } from '../disk.ts';
import type { FormerFile } from './outcome.ts';
import { type MatchedFiles, placeRendered } from './match-record.ts';
import { hashText, basePath } from '../paths.ts';
import type { ProjectRecord } from '../record.ts';
import { findAppAfter } from '../../evolve/heads/stored-migrations.ts';
import { renderProject } from '../render-project.ts';
import type { History } from './schema-step.ts';

/**
 * If a merged branch has renamed a model, its files and bases are already at the new paths. Matches them there, and
 * leaves unedited files that git kept at the old paths to be removed.
 */
export function followMergedRenames(matches: MatchedFiles, disk: Disk): MatchedFiles {
  const recorded = [...matches.matched.flatMap(({ former }) => former ?? []), ...matches.unmatched];
  const known = new Set(recorded.map(({ path }) => path));
  const replaced: FormerFile[] = [];
  const matched = matches.matched.map((match) => {
    const { former } = match;
    const { path } = match.file;
    const arrived = former && !known.has(path) ? findMergedRename(path, former, disk) : undefined;
    if (!former || !arrived) return match;
    if (disk(former.path)) replaced.push(former);
    return { ...match, former: arrived };
  });
  return { ...matches, matched, unmatched: [...matches.unmatched, ...replaced] };
}

function findMergedRename(path: string, was: FormerFile, disk: Disk): FormerFile | undefined {
  const [old, now, base] = [disk(was.path), disk(path), disk(basePath(path))];
  const hasNoEdits = !old || (old.kind === 'text' && hashText(old.text) === was.recorded.base);
  if (!hasNoEdits || now?.kind !== 'text' || base?.kind !== 'text') return undefined;
  const { state: _, ...recorded } = was.recorded;
  return { path, recorded: { ...recorded, base: hashText(base.text) } };
}

/** What a merged branch last emitted for a file, rendered from the schema of its last migration. */
export function branchTexts(
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
