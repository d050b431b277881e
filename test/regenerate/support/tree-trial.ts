import { existsSync, readFileSync, writeFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { buildApp } from '../../../src/model/build.ts';
import { carryIds } from '../../../src/model/carry.ts';
import { acceptanceKey } from '../../../src/evolve/hazards/hazard.ts';
import { applyPlan } from '../../../src/project/journal/apply-plan.ts';
import { readProject } from '../../../src/project/read-project.ts';
import { buildNext } from '../../../src/project/plan/next-app.ts';
import { planRegeneration, type Regeneration } from '../../../src/project/regeneration.ts';
import { collectRenamed } from '../../../src/project/plan/spellings.ts';
import { renderApp } from '../../../src/render/render.ts';
import type { RenderedFile } from '../../../src/render/rendered-file.ts';
import { parseSchema } from '../../../src/schema/parse.ts';
import type { SchemaStep } from '../../merge/support/changed-files.ts';
import type { Dice } from '../../merge/support/dice.ts';
import { makeEdit } from '../../merge/support/edits/make-edit.ts';
import { makeProject } from './make-project.ts';

export interface TreeTrial extends SchemaStep {
  readonly folder: string;
  /** What each file has to be in the end: the edits done to a fresh project. */
  readonly expected: ReadonlyMap<string, string>;
  readonly edited: ReadonlySet<string>;
}

export interface TreeSample {
  readonly step: SchemaStep;
  /** For each file to edit, which one, and what is done to it. */
  readonly files: readonly { readonly at: number; readonly dice: readonly Dice[] }[];
  readonly among: 'plain' | 'hard' | 'typed';
}

/** An edited project on the disk whose schema is about to change; undefined when the new schema is refused. */
export async function makeTreeTrial({
  step,
  files,
  among,
}: TreeSample): Promise<TreeTrial | undefined> {
  const before = appOf(step.before);
  const next = appOf(step.after);
  if (!before || !next) return undefined;
  const after = carryIds(before, next);
  const [olds, news] = [renderApp(before), new Map(renderApp(after).map((it) => [it.id, it]))];
  const { inModel, everywhere } = collectRenamed(before, after);
  const folder = await makeProject(step.before, []);
  const expected = new Map([...news.values()].map(({ path, content }) => [path, content]));
  const edited = new Set<string>();
  const code = olds.filter((file) => file.kind === 'ts' && news.has(file.id));
  for (const { at, dice } of files) {
    const file = code[at % code.length];
    const later = file && news.get(file.id);
    if (!file || !later || edited.has(later.path)) continue;
    const renames = inModel.get(later.model ?? '') ?? everywhere;
    const texts = editBoth([file, later], dice, (text, it) =>
      makeEdit(text, it, { renames, among }),
    );
    if (!texts) continue;
    put(folder, file.path, texts[0]);
    expected.set(later.path, texts[1]);
    edited.add(later.path);
  }
  return { ...step, folder, expected, edited };
}

function editBoth(
  [file, later]: readonly [RenderedFile, RenderedFile],
  dice: readonly Dice[],
  edit: (text: string, dice: Dice) => ReturnType<typeof makeEdit>,
): readonly [string, string] | undefined {
  let [ours, expected] = [file.content, later.content];
  for (const it of dice) {
    const found = edit(ours, it);
    const [edited, same] = [found?.apply(ours), found?.apply(expected)];
    if (edited === undefined) continue;
    if (same === undefined) return undefined;
    [ours, expected] = [edited, same];
  }
  return parses(ours) && ours !== file.content ? [ours, expected] : undefined;
}

function parses(text: string): boolean {
  return parseSync('file.ts', text).errors.length === 0;
}

function appOf(text: string) {
  const { schema } = parseSchema(text);
  return schema && buildApp(schema);
}

export function put(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  // Never into the file: other projects have it too.
  rmSync(file, { force: true });
  writeFileSync(file, text);
}

export function read(folder: string, path: string): string | undefined {
  const file = join(folder, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

export type Regenerate = (folder: string, schemaText: string) => Promise<Regeneration>;

/** As the command does, with every loss agreed to. */
export const regenerate: Regenerate = async (folder, schemaText) => {
  put(folder, 'schema.yaml', schemaText);
  const { schema } = parseSchema(schemaText);
  if (!schema) throw new Error('The schema is refused.');
  const project = await readProject(folder);
  const wish = {
    schemaText,
    schema,
    renames: [],
    onConflict: 'markers',
    restore: [],
  } as const;
  const next = buildNext(project, { ...wish, accepted: [] });
  let accepted: readonly string[] = [];
  for (;;) {
    const regeneration = await planRegeneration(project, next, { ...wish, accepted });
    const { ambiguities, unaccepted, plan } = regeneration;
    const asked = [
      ...ambiguities.map(({ code, target }) => `${code}:${target}`),
      ...unaccepted.map(acceptanceKey),
    ];
    if (asked.length === 0) {
      await applyPlan(folder, plan);
      return regeneration;
    }
    accepted = [...accepted, ...asked];
  }
};
