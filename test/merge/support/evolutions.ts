import type { App } from '../../../src/model/app.ts';
import { buildApp } from '../../../src/model/build.ts';
import { carryIds } from '../../../src/model/carry.ts';
import { parseRename } from '../../../src/model/rename.ts';
import { collectRenamed, withCompounds } from '../../../src/project/plan/spellings.ts';
import { renderApp } from '../../../src/render/render.ts';
import type { RenderedFile } from '../../../src/render/rendered-file.ts';
import { parseSchema } from '../../../src/schema/parse.ts';

/** A file as two versions of the generator's input have it. */
export interface ChangedFile {
  readonly name: string;
  readonly path: string;
  readonly kind: RenderedFile['kind'];
  readonly before: string;
  readonly after: string;
  /** Whether other templates made it, or those of another engine. */
  readonly otherTemplates: boolean;
  /** Old names and new ones. */
  readonly renames: ReadonlyMap<string, string>;
}

/** Undefined when the schema's own rules refuse it. */
export function appOf(text: string): App | undefined {
  const { schema } = parseSchema(text);
  return schema && buildApp(schema);
}

/** The next app, with the ids of the one before; `renames` as `--rename` takes them. */
export function nextApp(
  before: App,
  text: string,
  renames: readonly string[] = [],
): App | undefined {
  const next = appOf(text);
  return (
    next &&
    carryIds(
      before,
      next,
      renames.flatMap((it) => parseRename(it) ?? []),
    )
  );
}

export interface Step {
  readonly name: string;
  readonly before: App;
  readonly after: App;
  /** What an earlier version of the generator made of the old schema, given what this one makes. */
  readonly older?: (file: RenderedFile) => string;
}

/** Each app once: many steps begin with the same one. */
function rendered(app: App): readonly RenderedFile[] {
  const files = filesOf.get(app) ?? renderApp(app);
  filesOf.set(app, files);
  return files;
}

const filesOf = new WeakMap<App, readonly RenderedFile[]>();

/** Every file that a step changes. */
export function changedFiles({ name, before, after, older }: Step): ChangedFile[] {
  const news = new Map(rendered(after).map((file) => [file.id, file]));
  const renamed = collectRenamed(before, after);
  const otherTemplates = older !== undefined || before.database !== after.database;
  return rendered(before).flatMap((file) => {
    const { id, kind, path } = file;
    const next = news.get(id);
    const text = older?.(file) ?? file.content;
    if (!next || next.content === text) return [];
    const spellings = renamed.inModel.get(next.model ?? '') ?? renamed.everywhere;
    const renames = withCompounds(spellings, renamed.ofModels, {
      base: text,
      theirs: next.content,
    });
    const texts = { before: text, after: next.content };
    return [{ name: `${name}: ${path}`, path, kind, ...texts, renames, otherTemplates }];
  });
}
