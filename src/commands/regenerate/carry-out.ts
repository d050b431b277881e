import type { ExitCode } from '../../errors.ts';
import { applyPlan } from '../../project/journal/apply-plan.ts';
import { hasConflicts, type Plan, type Change } from '../../project/plan.ts';
import type { Project } from '../../project/read-project.ts';
import { planRegeneration, type Regeneration } from '../../project/regeneration.ts';
import { cancelled } from '../../terminal/ask.ts';
import type { Diagnostic, Session } from '../../terminal/report.ts';
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

interface Situation {
  readonly project: Project;
  readonly source: SchemaSource;
  /** What was said already. */
  readonly before: readonly Diagnostic[];
}

/** Plan and ask; check the whole; then, and only then, write; report. */
export async function carryOut(
  session: Session,
  { folder, request: asked }: Run,
  { project, source, before }: Situation,
): Promise<ExitCode> {
  const { terminal } = session;
  const decided = await decide({ terminal, project, source }, asked);
  const { regeneration: planned, request } = decided;
  const run = { folder, request };
  if (isOpen(planned) && !request.check) return reportOpenQuestions(session, decided);
  const replan: Replan = (change) =>
    planRegeneration(project, toRunOptions(request, source), change);
  const { interruption } = terminal;
  const checked = await check(run, { project, planned, interruption, replan });
  if (terminal.interruption.aborted) throw cancelled();
  const state = stateOf(run, checked.regeneration.plan);
  if (state === 'written') await applyPlan(folder, checked.regeneration.plan);
  return reportRegeneration(session, run, { ...checked, project, state, before });
}

interface Planned {
  readonly project: Project;
  readonly planned: Regeneration;
  readonly interruption: AbortSignal;
  readonly replan: Replan;
}

type Checked = Pick<Outcome, 'regeneration' | 'semantic' | 'renamed' | 'isUnformatted'>;

/** Does the owner's code still fit? With `--codemod`, it is made to as far as names go. */
async function check({ request }: Run, given: Planned): Promise<Checked> {
  const { project, planned, interruption, replan } = given;
  if (request.check)
    return { regeneration: planned, semantic: { conflicts: [], mentions: [] }, renamed: [] };
  const { regeneration: renamed, left } = request.codemod
    ? await renameUses(project, planned, { interruption, replan })
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

interface Formatted {
  readonly plan: Plan;
  /** The project has a layout of its own, and nobody was there to give it to what is written. */
  readonly isUnformatted: boolean;
}

/** What a run writes, in the layout that the project has given itself. */
async function formatPlan(
  { folder, record }: Pick<Project, 'folder' | 'record'>,
  plan: Plan,
  interruption: AbortSignal,
): Promise<Formatted> {
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
