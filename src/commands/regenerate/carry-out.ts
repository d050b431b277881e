import type { ExitCode } from '../../errors.ts';
import { applyPlan } from '../../project/journal/apply-plan.ts';
import { hasConflicts, type Plan, type Change } from '../../project/plan.ts';
import type { Project } from '../../project/read-project.ts';
import { planRegeneration, type Regeneration } from '../../project/regeneration.ts';
import { cancelled } from '../../terminal/ask.ts';
import type { Session } from '../../terminal/report.ts';
import { decide, isOpen } from './decide.ts';
import { type Outcome, reportRegeneration } from './report.ts';
import { renameUses, type Replan, renamedUses } from './semantic/rename-uses.ts';
import { reportOpenQuestions } from './open-questions.ts';
import { toRunOptions, onlyLooks, type Run, type SchemaSource } from './request.ts';
import { findSemanticConflicts } from './semantic/conflicts.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hashText } from '../../project/paths.ts';
import { openDisk } from '../../project/disk.ts';
import { formatTexts } from '../../system/own-tools.ts';

/** Plan and ask; check the whole; then, and only then, write; report. */
export async function carryOut(
  session: Session,
  { request: asked, ...known }: Run,
  project: Project,
  source: SchemaSource,
): Promise<ExitCode> {
  const { interruption } = session.terminal;
  const decided = await decide(session.terminal, project, source, asked);
  const { regeneration: planned, request } = decided;
  const run = { ...known, request };
  if (isOpen(planned) && !request.check) return reportOpenQuestions(session, decided);
  const replan: Replan = (change) =>
    planRegeneration(project, toRunOptions(request, source), change);
  const checked: Checked = request.check
    ? { regeneration: planned, semantic: { conflicts: [], mentions: [] } }
    : await check(project, planned, interruption, request.codemod ? replan : undefined);
  if (interruption.aborted) throw cancelled();
  const state = stateOf(run, checked.regeneration.plan);
  if (state === 'written') await applyPlan(project.folder, checked.regeneration.plan);
  return reportRegeneration(session, run, { ...checked, project, state });
}

type Checked = Pick<Outcome, 'regeneration' | 'semantic' | 'renamed' | 'isUnformatted'>;

/** Does the owner's code still fit? With the codemod, which plans again, it is made to as far as names go. */
async function check(
  project: Project,
  planned: Regeneration,
  interruption: AbortSignal,
  replan: Replan | undefined,
): Promise<Checked> {
  const { regeneration: renamed, left } = replan
    ? await renameUses(project, planned, interruption, replan)
    : { regeneration: planned };
  const { plan, isUnformatted } = await formatPlan(project, renamed.plan, interruption);
  const regeneration = { ...renamed, plan };
  return {
    isUnformatted,
    regeneration,
    semantic: await findSemanticConflicts(project, regeneration, interruption, left),
    renamed: renamedUses(planned.plan, renamed.plan),
  };
}

function stateOf({ request }: Run, plan: Plan): Outcome['state'] {
  if (onlyLooks(request)) return 'looked';
  return request.onConflict === 'fail' && hasConflicts(plan) ? 'refused' : 'written';
}

/**
 * What a run writes, in the layout that the project has given itself; `isUnformatted`: it has one, and nobody was there to
 * give it to what is written.
 */
async function formatPlan(
  { folder, record }: Pick<Project, 'folder' | 'record'>,
  plan: Plan,
  interruption: AbortSignal,
): Promise<{ readonly plan: Plan; readonly isUnformatted: boolean }> {
  const written = plan.changes.filter(isText);
  if (written.length === 0 || !hasOwnLayout(folder, record.files)) {
    return { plan, isUnformatted: false };
  }
  const texts = written.map(({ path, before, after }) => ({ path, before, after: after ?? '' }));
  const formatted = await formatTexts(texts, folder, interruption);
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
