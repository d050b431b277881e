import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildApp } from '../../../src/model/build.ts';
import { parseRename } from '../../../src/model/rename.ts';
import { applyNew } from '../../../src/project/apply.ts';
import { readProject, type Project } from '../../../src/project/read-project.ts';
import { planRegeneration, type Regeneration } from '../../../src/project/regeneration.ts';
import { renderNew } from '../../../src/project/render-project.ts';
import { parseSchema } from '../../../src/schema/parse.ts';
import { installed, readDependencies } from '../../support/install.ts';
import { scratchFolder } from '../../support/scratch.ts';

/** A project with its packages, as its owner has edited it. */
export interface Owned {
  readonly folder: string;
  readonly schemaText: string;
}

export interface Edits {
  /** New texts, by path. */
  readonly [path: string]: string;
}

export async function ownedProject(schemaText: string, edits: Edits): Promise<Owned> {
  const folder = join(await scratchFolder('semantic'), 'project');
  const app = buildApp(parse(schemaText));
  await applyNew(renderNew(app, schemaText), { app, folder });
  await symlink(
    await installed(await readDependencies(folder)),
    join(folder, 'node_modules'),
    'dir',
  );
  for (const [path, text] of Object.entries(edits)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return { folder, schemaText };
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
    only: [],
    restore: [],
  } as const;
  const asked = await planRegeneration(project, wish);
  const accepted = asked.unaccepted.map(({ code, target }) => `${code}:${target}`);
  const regeneration = await planRegeneration(project, { ...wish, accepted });
  if (regeneration.ambiguities.length > 0) throw new Error('Something may be a rename.');
  return { project, regeneration };
}

export function textAfter({ project, regeneration }: Run, path: string): Promise<string> | string {
  const change = regeneration.plan.changes.find((it) => it.path === path);
  return change?.after ?? readFile(join(project.folder, path), 'utf8');
}

function parse(text: string) {
  const parsed = parseSchema(text, 'schema.yaml');
  if ('schema' in parsed) return parsed.schema;
  throw new Error(`The schema is refused: ${JSON.stringify(parsed.problems)}`);
}
