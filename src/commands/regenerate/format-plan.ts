import { readdirSync } from 'node:fs';
import { hasMarkers } from '../../merge/markers.ts';
import { readText } from '../../project/disk.ts';
import { hashText, isHistory } from '../../project/paths.ts';
import type { Plan, FileChange } from '../../project/plan.ts';
import type { Project } from '../../project/read-project.ts';
import { formatTexts } from '../../system/own-formatter.ts';
import { readManifest } from '../../system/package-manager.ts';

/** The plan with files in the project's layout. `isUnformatted`: whether its formatter could not be run. */
export async function formatPlan(
  project: Project,
  plan: Plan,
  interruption: AbortSignal,
): Promise<{ readonly plan: Plan; readonly isUnformatted: boolean }> {
  const written = plan.changes.filter(isWrittenText);
  if (written.length === 0 || !hasOwnLayout(project)) {
    return { plan, isUnformatted: false };
  }
  const texts = written.map(({ path, before, after }) => ({
    path,
    // A file with conflict markers cannot be formatted.
    before: hasMarkers(before ?? '') ? undefined : before,
    after: after ?? '',
  }));
  const formatted = await formatTexts(texts, project.folder, interruption);
  if (formatted === undefined) return { plan, isUnformatted: true };
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

const formatterSettings = ['.prettierrc.json', '.editorconfig', '.prettierignore'];

/** Settings of formatters that scaffold does not emit. */
const otherSettings =
  /^(?:\.prettierrc(?:\.(?:ya?ml|json5|toml))?|(?:\.prettierrc|prettier\.config)\.[cm]?[jt]s)$/;

/** Emitted files already follow the emitted settings. */
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
