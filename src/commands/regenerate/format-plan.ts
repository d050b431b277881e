import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hashText } from '../../project/base.ts';
import { openDisk } from '../../project/disk.ts';
import type { Change, Plan } from '../../project/plan.ts';
import type { Project } from '../../project/read-project.ts';
import { formatTexts } from '../../system/format-texts.ts';

export interface Formatted {
  readonly plan: Plan;
  /** The project has a layout of its own, and nobody was there to give it to what is written. */
  readonly isUnformatted: boolean;
}

/** What a run writes, in the layout that the project has given itself. */
export async function formatPlan(
  { folder, record }: Pick<Project, 'folder' | 'record'>,
  plan: Plan,
  interruption: AbortSignal,
): Promise<Formatted> {
  const written = plan.changes.filter(isText);
  if (written.length === 0 || !hasOwnLayout(folder, record.files)) {
    return { plan, isUnformatted: false };
  }
  const texts = written.map(({ path, before, after }) => ({ path, before, after: after ?? '' }));
  const formatted = await formatTexts(texts, { folder, interruption });
  if (formatted === undefined) return { plan, isUnformatted: true };
  const changes = plan.changes.map((change) => {
    const after = formatted.get(change.path);
    return after === undefined ? change : { ...change, after };
  });
  return { plan: { ...plan, changes }, isUnformatted: false };
}

/** Markers are no code; the history and what is only of a machine keep their text. */
function isText({ path, before, after, conflicts }: Change): boolean {
  const isHistory = path.startsWith('migrations/') || path === '.env';
  return after !== undefined && after !== before && conflicts.length === 0 && !isHistory;
}

const settings = ['.prettierrc.json', '.editorconfig', '.prettierignore'];

const others = [
  '.prettierrc',
  ...['yaml', 'yml', 'json5', 'toml', 'js', 'cjs', 'mjs', 'ts', 'cts', 'mts'].map(
    (ending) => `.prettierrc.${ending}`,
  ),
  ...['js', 'cjs', 'mjs', 'ts', 'cts', 'mts'].map((ending) => `prettier.config.${ending}`),
];

/** What scaffold makes is formatted for the settings that it makes. */
function hasOwnLayout(folder: string, files: Project['record']['files']): boolean {
  const disk = openDisk(folder);
  const manifest = disk('package.json');
  const isInManifest =
    manifest?.kind === 'text' &&
    /^ {2,4}"prettier": ?[{"]/m.test(
      manifest.text.replace(/"(?:dev|peer)?[dD]ependencies": \{[^}]*\}/g, ''),
    );
  return (
    isInManifest ||
    others.some((path) => existsSync(join(folder, path))) ||
    settings.some((path) => {
      const found = disk(path);
      return found?.kind === 'text' && hashText(found.text) !== files[path]?.base;
    })
  );
}
