import { exportedNames } from '../../merge/exported-names.ts';
import type { App } from '../../model/app.ts';
import { outputs } from '../../render/manifest.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import { findSuccession, type Successors } from '../../render/successors.ts';
import { digestTemplates, templateNames } from '../../render/template-files.ts';
import { isSchemaFile } from '../base.ts';
import { openDisk } from '../disk.ts';
import type { FormerFile, Gone } from '../plan/fate.ts';
import { formerBases } from '../plan/former-bases.ts';
import type { Project } from '../read-project.ts';

/** By the paths of the record. Where nobody has written down what took a file's place, its exports tell. */
export function findGone(
  project: Project,
  rendered: readonly RenderedFile[],
  table?: Successors,
): ReadonlyMap<string, Gone> {
  const { app, record } = project;
  if (record.templates === digestTemplates()) return new Map();
  const made = outputs(app, templateNames());
  const ids = new Set([...made, ...rendered].map(({ id }) => id));
  const sources = new Set(made.map(({ source }) => source));
  const byId = new Map(rendered.map((file) => [file.id, file]));
  const exporters = exportersOf(project, rendered);
  const gone = Object.entries(record.files).flatMap(([path, recorded]): readonly Gone[] => {
    if (recorded.policy === 'appended' || recorded.state !== undefined) return [];
    const { source, model } = originOf(recorded.id, app);
    if (ids.has(recorded.id) || isSchemaFile(source) || isOfRemoved(source)) return [];
    const known = findSuccession(source, (it) => sources.has(it), table);
    if (!known) return [{ path, recorded, now: exporters({ path, recorded }) }];
    const now = known.now.flatMap((it) =>
      idsFor(it, { app, model }).flatMap((id) => byId.get(id) ?? []),
    );
    const inOrder = now.toSorted((left, right) => (left.path < right.path ? -1 : 1));
    return [{ path, recorded, since: known.since, now: inOrder }];
  });
  return new Map(gone.map((it) => [it.path, it]));
}

interface Origin {
  /** The template's path below its root. */
  readonly source: string;
  /** Id of the model that it was made for. */
  readonly model: string | undefined;
}

function originOf(id: string, { models }: App): Origin {
  const model = models.find((it) => id.startsWith(`${it.id}/`))?.id;
  return { source: model === undefined ? id : id.slice(model.length + 1), model };
}

/** What went with its model before. */
function isOfRemoved(source: string): boolean {
  return source.startsWith('model:');
}

/** What an app-wide file had may be in the files of every model now. */
function idsFor(
  source: string,
  { app, model }: { readonly app: App; readonly model: string | undefined },
): readonly string[] {
  if (!/^(?:src|test)\/model\b/.test(source)) return [source];
  const models = model === undefined ? app.models.map(({ id }) => id) : [model];
  return models.map((id) => `${id}/${source}`);
}

/** Files that export now what a former one did, and did not before. */
function exportersOf(project: Project, rendered: readonly RenderedFile[]) {
  const baseOf = formerBases(project, openDisk(project.folder));
  const former = new Map(
    Object.entries(project.record.files).map(([path, recorded]) => [
      recorded.id,
      { path, recorded },
    ]),
  );
  const textOf = (file: FormerFile | undefined) => (file && baseOf(file)) ?? '';
  return (file: FormerFile): readonly RenderedFile[] => {
    if (file.recorded.kind !== 'ts') return [];
    const names = exportedNames(textOf(file));
    return rendered.filter(({ id, kind, content }) => {
      if (kind !== 'ts') return false;
      const shared = [...exportedNames(content)].filter((name) => names.has(name));
      const before = shared.length > 0 ? exportedNames(textOf(former.get(id))) : new Set();
      return shared.some((name) => !before.has(name));
    });
  };
}
