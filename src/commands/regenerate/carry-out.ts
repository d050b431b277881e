import { readdirSync } from 'node:fs';
import type { ExitCode } from '../../errors.ts';
import { exportedNames } from '../../merge/exported-names.ts';
import type { ImportedFile } from '../../merge/typescript/fix-imports.ts';
import { readText } from '../../project/disk.ts';
import { endings, isRelative, targetOf, wayTo } from '../../project/imports.ts';
import { applyPlan } from '../../project/journal/apply-plan.ts';
import { hashText, byPath } from '../../project/paths.ts';
import { hasConflicts, isWritten, type Plan, type Change } from '../../project/plan.ts';
import { asItIs } from '../../project/plan/outcome.ts';
import { newNames } from '../../project/plan/spellings.ts';
import type { Project } from '../../project/read-project.ts';
import { isOpen, type Regeneration } from '../../project/regeneration.ts';
import type { Texts } from '../../system/mirror.ts';
import { formatTexts, NoTypeCheck, withTypeCheck } from '../../system/own-tools.ts';
import { readManifest } from '../../system/package-manager.ts';
import { cancelled } from '../../terminal/ask.ts';
import type { Session } from '../../terminal/report.ts';
import { decide } from './decide.ts';
import { reportOpenQuestions } from './open-questions.ts';
import { type RunResult, reportRegeneration } from './report.ts';
import { onlyLooks, type Run, type SchemaSource } from './request.ts';
import { findSemanticConflicts } from './semantic/conflicts.ts';
import { newProblemFinder } from './semantic/new-problem-finder.ts';
import { findHandedOn } from './semantic/handed-on.ts';
import { openFiles, plannedTexts, readWith, type Read } from './semantic/places.ts';
import { trustedFiles } from './semantic/trusted-files.ts';

/** Plan and ask; check the whole; then, and only then, write; report. */
export async function carryOut(
  session: Session,
  { request: typed, ...known }: Run,
  found: Project,
  source: SchemaSource,
): Promise<ExitCode> {
  const { interruption } = session.terminal;
  const decided = await decide(session.terminal, found, source, typed);
  const { regeneration: planned, request, project } = decided;
  const run = { ...known, request };
  if (isOpen(planned) && !request.check) return reportOpenQuestions(session, decided);
  const checked: Checked = request.check
    ? { regeneration: planned, semantic: { conflicts: [], mentions: [] } }
    : await checkFit(project, planned, interruption, request.codemod);
  if (interruption.aborted) throw cancelled();
  const state = stateOf(run, checked.regeneration.plan);
  if (state === 'written') await applyPlan(project.folder, checked.regeneration.plan);
  return reportRegeneration(session, run, { ...checked, project, state });
}

type Checked = Pick<RunResult, 'regeneration' | 'semantic' | 'renamed' | 'isUnformatted'>;

/** Does the owner's code still fit? With the codemod, it is made to as far as names go. */
async function checkFit(
  project: Project,
  planned: Regeneration,
  interruption: AbortSignal,
  isRenaming = false,
): Promise<Checked> {
  const renamed = isRenaming ? await renameUses(project, planned, interruption) : planned;
  const { plan, isUnformatted } = await formatPlan(project, renamed.plan, interruption);
  const regeneration = { ...renamed, plan };
  return {
    isUnformatted,
    regeneration,
    semantic: await findSemanticConflicts(project, regeneration, interruption),
    renamed: renamedUses(planned.plan, renamed.plan),
  };
}

function stateOf({ request }: Run, plan: Plan): RunResult['state'] {
  if (onlyLooks(request)) return 'looked';
  return request.onConflict === 'fail' && hasConflicts(plan) ? 'refused' : 'written';
}

/**
 * What a run writes, in the layout that the project has given itself; `isUnformatted`: it has one, and nobody was there to
 * give it to what is written.
 */
async function formatPlan(
  project: Project,
  plan: Plan,
  interruption: AbortSignal,
): Promise<{ readonly plan: Plan; readonly isUnformatted: boolean }> {
  const written = plan.changes.filter(isText);
  if (written.length === 0 || !hasOwnLayout(project)) {
    return { plan, isUnformatted: false };
  }
  const texts = written.map(({ path, before, after }) => ({ path, before, after: after ?? '' }));
  const formatted = await formatTexts(texts, project.folder, interruption);
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

/** Settings of its formatter that scaffold does not make. */
const otherSettings =
  /^(?:\.prettierrc(?:\.(?:ya?ml|json5|toml))?|(?:\.prettierrc|prettier\.config)\.[cm]?[jt]s)$/;

/** What scaffold makes is formatted for the settings that it makes. */
function hasOwnLayout({ folder, disk, record }: Project): boolean {
  return (
    'prettier' in readManifest(readText(disk, 'package.json')).rest ||
    readdirSync(folder).some((name) => otherSettings.test(name)) ||
    settings.some((path) => {
      const text = readText(disk, path);
      return text !== undefined && hashText(text) !== record.files[path]?.base;
    })
  );
}

/** The same run, with the owner's own code calling by its new name what the schema has renamed. */
export async function renameUses(
  project: Project,
  regeneration: Regeneration,
  interruption: AbortSignal,
): Promise<Regeneration> {
  const planned = plannedTexts(regeneration.plan);
  const texts = await fixIn(project, regeneration, planned, interruption).catch((error) => {
    if (error instanceof NoTypeCheck) return planned;
    throw error;
  });
  const plan = withTexts(regeneration.plan, project, texts);
  return { ...regeneration, plan };
}

async function fixIn(
  project: Project,
  regeneration: Regeneration,
  texts: Texts,
  interruption: AbortSignal,
): Promise<Texts> {
  const { folder } = project;
  const { trusted } = trustedFiles(project, regeneration, texts);
  // The compiler takes a third of a second to load.
  const { fixUses } = await import('./semantic/codemod.ts');
  return withTypeCheck({ folder, trusted, interruption }, (check) =>
    fixUses(texts, {
      find: newProblemFinder(check, project, regeneration),
      ...ownerOf(project, regeneration),
    }),
  );
}

/** What is theirs: files that are not as they are made, without open conflicts. */
function ownerOf({ app, disk }: Project, regeneration: Regeneration) {
  const { plan, made } = regeneration;
  const open = openFiles(plan);
  const ambiguous = new Set(findHandedOn(app, regeneration.app).map(({ word }) => word));
  const namesOf = newNames(app, regeneration);
  // A name that means another thing now is only reported: which is meant, its owner knows.
  const respell = (word: string) => (ambiguous.has(word) ? [] : namesOf(word));
  const read = (path: string, texts: Texts): string | undefined => {
    const found = disk(path);
    const isFixed = !texts.has(path) && found?.kind === 'text' && found.isReadOnly;
    return isFixed ? undefined : readWith(disk, texts)(path);
  };
  return {
    readOwn(path: string, texts: Texts) {
      const text = read(path, texts);
      return open.has(path) || text === made.get(path) ? undefined : text;
    },
    namesFor(path: string, texts: Texts) {
      const find = importFinder(plan, (other) => read(other, texts));
      return { respell, findImported: (specifier: string) => find(path, specifier) };
    },
  };
}

function withTexts(plan: Plan, { disk, record }: Project, texts: Texts): Plan {
  const planned = new Map(plan.changes.map((change) => [change.path, change]));
  const renamed = { action: 'merge', reason: 'Your code uses the new names.' } as const;
  const fixed = [...texts].flatMap(([path, after]): readonly Change[] => {
    const change = planned.get(path) ?? asItIs(path, disk, record.files[path]);
    if (!change || after === undefined || after === change.after) return [];
    return [{ ...change, ...(!isWritten(change) && renamed), after }];
  });
  const paths = new Set(fixed.map(({ path }) => path));
  const kept = fixed.filter(({ path }) => !planned.has(path) && record.files[path]);
  const changes = [...plan.changes.filter(({ path }) => !paths.has(path)), ...fixed];
  return { ...plan, changes: changes.toSorted(byPath), kept: plan.kept - kept.length };
}

/** What the codemod did beside the plan that it was given: the owner's own code, before and after. */
function renamedUses(planned: Plan, fixed: Plan): readonly Change[] {
  const before = new Map(planned.changes.map(({ path, after }) => [path, after]));
  return fixed.changes.flatMap((change) => {
    const text = before.has(change.path) ? before.get(change.path) : change.before;
    const { from: _, ...inPlace } = change;
    return text === undefined || text === change.after ? [] : [{ ...inPlace, before: text }];
  });
}

/** Finds where a relative import leads to, after files have moved: that which imports, and that which is imported. */
function importFinder({ changes }: Plan, read: Read) {
  const movedTo = new Map(changes.map(({ path, from }) => [from, path]));
  const cameFrom = new Map(changes.map(({ path, from }) => [path, from]));
  return (importer: string, specifier: string): ImportedFile | undefined => {
    if (!isRelative(specifier)) return undefined;
    const former = targetOf(specifier, cameFrom.get(importer) ?? importer);
    for (const [written, real] of endings) {
      if (!former.endsWith(written)) continue;
      const file = former.slice(0, former.length - written.length) + real;
      const path = movedTo.get(file) ?? file;
      const text = read(path);
      if (text === undefined) continue;
      const target = path.slice(0, path.length - real.length) + written;
      const names = exportedNames(text);
      return { specifier: wayTo(target, importer), exports: (name) => names.has(name) };
    }
    return undefined;
  };
}
