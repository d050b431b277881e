import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { takeSide } from '../../../src/merge/markers.ts';
import { applyPlan } from '../../../src/project/journal/apply-plan.ts';
import { planUndo } from '../../../src/project/journal/plan-undo.ts';
import type { Plan } from '../../../src/project/plan.ts';
import { readProject } from '../../../src/project/read-project.ts';
import { planResolution } from '../../../src/project/plan-resolution.ts';
import { newProject, planned } from '../../support/changed-project.ts';
import { root } from '../../support/root.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { type Action, copiedProgram, runStep } from './program.ts';
import { readTree, type Tree } from './tree.ts';

/** A run that is about to write, with what it starts from and what it has to come to. */
export interface Scenario {
  readonly name: string;
  /** A built one. */
  readonly program: string;
  readonly action: Action;
  /** Only what the run touches, and some files beside it: copied for every trial. */
  readonly template: string;
  /** A file. */
  readonly plan: string;
  readonly before: Tree;
  readonly after: Tree;
  /** What the run does to the disk, in order. */
  readonly steps: readonly string[];
}

export async function makeScenarios(): Promise<readonly Scenario[]> {
  const program = await copiedProgram();
  const applying = (name: string) => ({ name, program, action: 'apply' }) as const;
  const updates = await newProject(blog, {});
  chmodSync(join(updates, 'src/posts/schema.ts'), 0o600);
  chmodSync(join(updates, 'src/database/tables.ts'), 0o755);
  const merges = await newProject(blog, edits(updates));
  const moves = await newProject(blog, { 'src/tags/colours.ts': 'export {};\n' });
  chmodSync(join(moves, 'src/posts/policy.ts'), 0o600);
  chmodSync(join(moves, 'src/comments/queries.ts'), 0o600);

  const updated = await plannedWith(updates, fieldsMore, []);
  const merged = await plannedWith(merges, accessElsewhere, []);
  const moved = await plannedWith(moves, modelsRenamed, ['Post=Article', 'Tag=Label']);
  const scenarios = [
    await scenario(applying('many files updated'), updates, updated),
    await scenario(applying('merges, conflicts and a migration'), merges, merged),
    await scenario(applying('models renamed and dropped: moves and deletions'), moves, moved),
  ];
  await applyPlan(merges, merged);
  const resolved = await planResolution(await readProject(merges), [], 'theirs');
  const byHand = await editedByHand(merges);
  await applyPlan(moves, moved);
  return [
    ...scenarios,
    await scenario(applying('conflicts resolved'), merges, resolved),
    await scenario({ name: 'undo', program, action: 'undo' }, moves, await planUndo(moves)),
    await scenario(applying('conflicts resolved by hand'), byHand.folder, byHand.plan),
  ];
}

/** A run that writes nothing but what is below `.scaffold/`. */
async function editedByHand(project: string): Promise<{ folder: string; plan: Plan }> {
  const folder = join(await scratchFolder('by-hand'), 'project');
  cpSync(project, folder, { recursive: true });
  for (const { path } of (await readProject(folder)).openConflicts) {
    const text = readFileSync(join(folder, path), 'utf8');
    writeFileSync(join(folder, path), takeSide(text, 'ours'));
  }
  return { folder, plan: await planResolution(await readProject(folder), [], 'edited') };
}

const blog = readFileSync(join(root, 'fixtures/apps/blog/schema.yaml'), 'utf8');

const fieldsMore = blog
  .replace('[editor]', '[editor, moderator]')
  .replace('      bio: text?', '      bio: text?\n      city: string?')
  .replace('      title: string', '      subtitle: string?\n      title: string')
  .replace('      body: string(1..2000)', '      body: string(1..2000)\n      mood: string?')
  .replace(
    '      name: string(1..40) unique',
    '      name: string(1..40) unique\n      colour: string?',
  );

const accessElsewhere = fieldsMore
  .replace('      read: public\n', '      read: editor\n')
  .replaceAll('access: { read: public', 'access: { read: editor');

const modelsRenamed = blog
  .replace('  Post:', '  Article:')
  .replace('  Tag:', '  Label:')
  .replace('Tag[]', 'Label[]')
  .replace(blog.slice(blog.indexOf('  Comment:'), blog.indexOf('  Tag:')), '');

function edits(folder: string) {
  const edit = (path: string, from: string, to: string) => {
    const text = readFileSync(join(folder, path), 'utf8');
    if (!text.includes(from)) throw new Error(`${path} does not say ${from}.`);
    return [path, text.replace(from, to)] as const;
  };
  return Object.fromEntries([
    ...['posts', 'comments', 'tags'].map((name) =>
      edit(`src/${name}/policy.ts`, 'read: everyone', 'read: signedIn'),
    ),
    ...['posts', 'comments', 'tags'].map((name) =>
      edit(`test/${name}.test.ts`, "list: { public: 'shown'", "list: { public: 'hidden'"),
    ),
    edit('src/routes.ts', 'export async', '/** Each and every address. */\nexport async'),
    edit('src/posts/schema.ts', '/** An article. */', '/** An article, mostly. */'),
  ]);
}

async function plannedWith(
  folder: string,
  schema: string,
  renames: readonly string[],
): Promise<Plan> {
  if (schema === blog) throw new Error('The schema has not changed.');
  const { regeneration } = await planned(folder, schema, renames);
  return regeneration.plan;
}

interface Facts {
  readonly name: string;
  readonly program: string;
  readonly action: Action;
}

async function scenario(facts: Facts, project: string, plan: Plan): Promise<Scenario> {
  const home = await scratchFolder('kill');
  const template = join(home, 'template');
  const writes = [
    ...plan.changes.flatMap(({ path, from }) => [path, ...(from === undefined ? [] : [from])]),
    ...plan.recordWrites.map(({ path }) => path),
  ];
  for (const path of [...writes, ...bystanders]) {
    if (!existsSync(join(project, path))) continue;
    mkdirSync(dirname(join(template, path)), { recursive: true });
    cpSync(join(project, path), join(template, path), { recursive: true });
  }
  const planFile = join(home, 'plan.json');
  writeFileSync(planFile, JSON.stringify(plan));
  const folder = join(home, 'whole');
  cpSync(template, folder, { recursive: true });
  const { error, steps } = await runStep({ ...facts, folder, plan: planFile });
  if (error !== undefined) throw new Error(`${facts.name}: ${error}`);
  const [before, after] = [readTree(template), readTree(folder)];
  return { ...facts, template, plan: planFile, before, after, steps };
}

const bystanders = [
  '.scaffold/undo',
  '.scaffold/schema.v1.json',
  'src/app.ts',
  'src/tags/colours.ts',
  'package.json',
];
