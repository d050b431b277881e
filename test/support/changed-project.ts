import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildApp } from '../../src/model/build.ts';
import { parseRename } from '../../src/model/rename.ts';
import { applyNew } from '../../src/project/new-project.ts';
import { readProject, type Project } from '../../src/project/read-project.ts';
import { buildNext } from '../../src/project/plan/next-app.ts';
import { planRegeneration, type Regeneration } from '../../src/project/regeneration.ts';
import { renderNew } from '../../src/project/render-project.ts';
import { parseSchema } from '../../src/schema/parse.ts';
import { installed, readDependencies } from './install.ts';
import { scratchFolder } from './scratch.ts';

export interface Edits {
  /** New texts, by path. */
  readonly [path: string]: string;
}

/** The folder of a new project, as its owner has edited it. */
export async function newProject(schemaText: string, edits: Edits): Promise<string> {
  const folder = join(await scratchFolder('project'), 'project');
  const app = buildApp(parse(schemaText));
  await applyNew(renderNew(app, schemaText), { app, folder });
  for (const [path, text] of Object.entries(edits)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** With its packages. */
export async function installedProject(schemaText: string, edits: Edits): Promise<string> {
  const folder = await newProject(schemaText, edits);
  const modules = await installed(await readDependencies(folder));
  await symlink(modules, join(folder, 'node_modules'), 'dir');
  return folder;
}

export interface Run {
  readonly project: Project;
  readonly regeneration: Regeneration;
}

/** A run with another schema, which agrees to every loss. */
export async function planned(
  folder: string,
  schemaText: string,
  renames: readonly string[],
): Promise<Run> {
  const project = await readProject(folder);
  const wish = {
    schemaText,
    schema: parse(schemaText),
    renames: renames.flatMap((text) => parseRename(text) ?? []),
    accepted: [],
    onConflict: 'markers',
    restore: [],
  } as const;
  const next = buildNext(project, wish);
  const asked = await planRegeneration(project, next, wish);
  const accepted = asked.unaccepted.map(({ code, target }) => `${code}:${target}`);
  const regeneration = await planRegeneration(project, next, { ...wish, accepted });
  if (regeneration.ambiguities.length > 0) throw new Error('Something may be a rename.');
  return { project, regeneration };
}

export function textAfter({ project, regeneration }: Run, path: string): Promise<string> | string {
  const change = regeneration.plan.changes.find((it) => it.path === path);
  return change?.after ?? readFile(join(project.folder, path), 'utf8');
}

function parse(text: string) {
  const parsed = parseSchema(text);
  if ('schema' in parsed) return parsed.schema;
  throw new Error(`The schema is refused: ${JSON.stringify(parsed.problems)}`);
}
