import { readdirSync } from 'node:fs';
import { hasMarkers } from '../../merge/markers.ts';
import { readText } from '../../project/disk.ts';
import { hashText, isHistory } from '../../project/paths.ts';
import type { Plan, FileChange } from '../../project/plan.ts';
import type { Project } from '../../project/read-project.ts';
import { formatTexts } from '../../system/own-formatter.ts';
import { readManifest } from '../../system/package-manager.ts';

/** The plan with files in the project's layout. `isUnformatted`: whether it could not be given its own. */
export async function formatPlan(
  project: Project,
  plan: Plan,
  interruption: AbortSignal,
): Promise<{ readonly plan: Plan; readonly isUnformatted: boolean }> {
  const isOwn = hasOwnLayout(project);
  const isEmitted = readText(project.disk, emittedSettings) !== undefined;
  const written = plan.changes.filter(
    (it) => isWrittenText(it) && (isOwn || (isEmitted && isMixed(it))),
  );
  if (written.length === 0) return { plan, isUnformatted: false };
  const texts = written.map(({ path, before, after }) => ({
    path,
    // A file with conflict markers cannot be formatted.
    before: hasMarkers(before ?? '') ? undefined : before,
    after: after ?? '',
  }));
  const formatted = await formatTexts(texts, project.folder, interruption);
  if (formatted === undefined) return { plan, isUnformatted: isOwn };
  const changes = plan.changes.map((change) => {
    const after = formatted.get(change.path);
    return after === undefined ? change : { ...change, after };
  });
  return { plan: { ...plan, changes }, isUnformatted: false };
}

/** Excludes files with markers, migrations and files of this machine. */
function isWrittenText({ path, before, after, conflicts }: FileChange): boolean {
  const isKept = isHistory(path) || path === '.env';
  return after !== undefined && after !== before && conflicts.length === 0 && !isKept;
}

/** Where lines of both sides meet, they may be too long together. */
const isMixed = ({ action, resolved }: FileChange) => action === 'merge' || resolved !== undefined;

const emittedSettings = '.prettierrc.json';
const formatterSettings = [emittedSettings, '.editorconfig', '.prettierignore'];

/** Settings of formatters that scaffold does not emit. */
const otherSettings =
  /^(?:\.prettierrc(?:\.(?:ya?ml|json5|toml))?|(?:\.prettierrc|prettier\.config)\.[cm]?[jt]s)$/;

/** Files that are as emitted already follow the emitted settings. */
function hasOwnLayout({ folder, disk, record }: Project): boolean {
  return (
    'prettier' in readManifest(readText(disk, 'package.json')).rest ||
    readdirSync(folder).some((name) => otherSettings.test(name)) ||
    formatterSettings.some((path) => {
      const text = readText(disk, path);
      return text !== undefined && hashText(text) !== record.files[path]?.base;
    })
  );
}
