import { inTicks, joinWithAnd } from '../../words.ts';
import { exportedNames } from '../../merge/modules.ts';
import { withLineEndingsOf, toUnixLines } from '../../merge/line-endings.ts';
import { printChunks } from '../../merge/markers.ts';
import { markOwnerEdits } from '../../merge/owner-edits.ts';
import { listFileIds, listOutputs, parseFileId } from '../../render/manifest.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import { findSuccession } from '../../render/successors.ts';
import { digestTemplates, templateNames } from '../../render/template-files.ts';
import type { TextFile } from '../disk.ts';
import { labelConflict, printPlaces } from '../open-conflicts.ts';
import { byPath, isSchemaFile } from '../paths.ts';
import type { DecisionContext } from './context.ts';
import type { FollowedProject } from './follow-moved.ts';
import { printLabel } from './merge-file.ts';
import {
  type FormerFile,
  type RetiredFile,
  type FileOutcome,
  pickModel,
  makeOutcome,
} from './outcome.ts';

/** Retired files by path. A file without a row in `successors.ts` is looked for by its exports. */
export function collectRetiredFiles(
  project: FollowedProject,
  rendered: readonly RenderedFile[],
): ReadonlyMap<string, RetiredFile> {
  const { app, record } = project;
  if (record.templates === digestTemplates()) return new Map();
  const made = listOutputs(app, templateNames());
  const ids = new Set([...made, ...rendered].map(({ id }) => id));
  const sources = new Set(made.map(({ source }) => source));
  const exporters = indexExporters(project, rendered);
  const retired = Object.entries(record.files).flatMap(
    ([path, recorded]): readonly RetiredFile[] => {
      if (recorded.policy === 'appended' || recorded.state !== undefined) return [];
      const origin = parseFileId(recorded.id, app);
      // Files of a removed model were removed with it.
      if (!origin || ids.has(recorded.id) || isSchemaFile(origin.source)) return [];
      const { source, model } = origin;
      const known = findSuccession(source, (it) => sources.has(it));
      if (!known) return [{ path, recorded, successorIds: exporters({ path, recorded }) }];
      const successorIds = known.successors.flatMap((it) => listFileIds(it, app, model));
      return [
        {
          path,
          recorded,
          since: known.since,
          successorIds: successorIds.filter((id) => rendered.some((it) => it.id === id)),
        },
      ];
    },
  );
  return new Map(retired.map((it) => [it.path, it]));
}

/** Ids of rendered files that newly export a name which a former file exported. */
function indexExporters({ record, baseOf }: FollowedProject, rendered: readonly RenderedFile[]) {
  const former = new Map(
    Object.entries(record.files).map(([path, recorded]) => [recorded.id, { path, recorded }]),
  );
  const readBase = (file: FormerFile | undefined) => (file && baseOf(file)) ?? '';
  return (file: FormerFile): readonly string[] => {
    if (file.recorded.kind !== 'ts') return [];
    const names = exportedNames(readBase(file));
    return rendered.flatMap(({ id, kind, content }) => {
      if (kind !== 'ts') return [];
      const shared = [...exportedNames(content)].filter((name) => names.has(name));
      const before = shared.length > 0 ? exportedNames(readBase(former.get(id))) : new Set();
      return shared.some((name) => !before.has(name)) ? [id] : [];
    });
  };
}

/** Marks the owner's edits in a file that is no longer made, and names the files that have its content now. */
export async function decideRetired(
  { path, recorded, successorIds, since }: RetiredFile,
  { text: before, mode }: TextFile,
  { onConflict, baseOf, rendered }: DecisionContext,
): Promise<FileOutcome> {
  const shared = { path, before, mode, ...pickModel(recorded), conflicts: [] };
  const ejected = { ...recorded, state: 'ejected' } as const;
  const files = rendered.filter(({ id }) => successorIds.includes(id)).toSorted(byPath);
  const successors = files.map((file) => file.path);
  const others = joinWithAnd(inTicks(successors));
  if (successors.length === 0 || onConflict === 'ours') {
    const reason = explainRetired(since, others);
    const change = { ...shared, after: before, action: 'eject', reason } as const;
    return makeOutcome(change, { recorded: ejected });
  }
  if (onConflict === 'theirs') {
    const reason = `It is now in ${others}. You asked for scaffold’s version.`;
    return makeOutcome({ ...shared, action: 'delete', reason });
  }
  const chunks = await markOwnerEdits(
    recorded.kind,
    { base: baseOf({ path, recorded }) ?? '', ours: toUnixLines(before) },
    {
      successors: files.filter(isScript),
      others: recorded.kind === 'ts' ? rendered.filter(isScript) : [],
    },
  );
  const marked = printChunks(chunks, () => printLabel([`now in ${joinWithAnd(successors)}`]));
  const conflicts = marked.conflicts.map((it) => labelConflict(it, []));
  const reason = `It is now in ${others}. You edited it in ${printPlaces(conflicts)}.`;
  const after = withLineEndingsOf(before, marked.text);
  const change = { ...shared, action: 'conflict', reason, after, successors, conflicts } as const;
  return makeOutcome(change, {
    recorded: { ...recorded, state: 'conflict' },
    open: { path, kind: 'gone', now: successors, file: ejected, conflicts },
  });
}

function explainRetired(since: string | undefined, others: string): string {
  const cause = since === undefined ? 'This version of scaffold' : `scaffold ${since}`;
  const where = others === '' ? 'and nothing took its place' : `which is now in ${others}`;
  return `${cause} no longer makes it, ${where}. You edited it, so it stays and is yours alone.`;
}

const isScript = ({ kind }: RenderedFile) => kind === 'ts';

/**
 * Gives files of renamed templates their new ids in the record, so that they move and are merged. Does not apply to a
 * file whose content went into an existing file. `renamedTemplates`: these ids.
 */
export function followRenamedTemplates(
  project: FollowedProject,
  retired: ReadonlyMap<string, RetiredFile>,
): { readonly project: FollowedProject; readonly renamedTemplates: ReadonlySet<string> } {
  const { files } = project.record;
  const known = new Set(Object.values(files).map(({ id }) => id));
  const claims = [...retired.values()].flatMap(({ successorIds }) => successorIds);
  const renamed = new Map(
    [...retired.values()].flatMap(({ path, successorIds: [only, ...others] }) =>
      only !== undefined &&
      others.length === 0 &&
      !known.has(only) &&
      claims.filter((id) => id === only).length === 1
        ? [[path, only] as const]
        : [],
    ),
  );
  const entries = Object.entries(files).map(
    ([path, file]) => [path, { ...file, id: renamed.get(path) ?? file.id }] as const,
  );
  const record = { ...project.record, files: Object.fromEntries(entries) };
  return { project: { ...project, record }, renamedTemplates: new Set(renamed.values()) };
}
