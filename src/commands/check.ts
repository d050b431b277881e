import { resolve } from 'node:path';
import { exitCode, type ExitCode } from '../errors.ts';
import { buildApp } from '../model/build.ts';
import { findProject } from '../project/find-project.ts';
import { readProject, type Project } from '../project/read-project.ts';
import type { Regeneration } from '../project/regeneration.ts';
import { isUpToDate } from '../project/up-to-date.ts';
import type { Wish } from '../project/wish.ts';
import { parseSchema } from '../schema/parse.ts';
import { printDiagnostics, report, type Diagnostic, type Session } from '../terminal/report.ts';
import { accessNotes } from './access-notes.ts';
import { checkDatabase } from './check-database.ts';
import { displayPath } from './display-path.ts';
import { findSchema } from './find-schema.ts';
import { printAccess } from './print-access.ts';
import { namedOrAround } from './project-around.ts';
import { printWarnings, reportProblems, toDiagnostics } from './problems.ts';
import { commandText } from './regenerate/command-text.ts';
import { isBehind, writes } from './regenerate/effect.ts';
import { questionDiagnostics } from './regenerate/report-open-questions.ts';
import { makeWish } from './regenerate/request.ts';
import { reportedChanges, showPlan } from './regenerate/show-plan.ts';
import { reportOpenConflicts } from './report-open-conflicts.ts';
import { readSchemaText } from './schema-text.ts';

/** Is the schema sound; and, in a project, are the code, the migrations and the database in step with it? */
export async function runCheck(session: Session, named: string): Promise<ExitCode> {
  const path = namedOrAround(session, named);
  const source = await readSchemaText(session, findSchema(session, path));
  const { schema, problems } = parseSchema(source.text, source.file);
  if (!schema) return reportProblems(session, source, problems);
  printWarnings(session, source, problems);

  const found = toDiagnostics(source, problems);
  const app = buildApp(schema);
  const models = counted(app.models.length, 'model');
  const verdict = `\`${source.file}\` is valid: ${models}.`;
  printAccess(session.terminal, app);
  const folder = resolve(session.folder, path);
  if (!findProject(folder)) {
    return report(session, { exit: exitCode.done, diagnostics: found, text: `${verdict}\n` });
  }
  const project = await readProject(folder);
  if (project.openConflicts.length > 0) return reportOpenConflicts(session, project);
  const wish = makeWish({ dir: path }, { schema, schemaText: source.text });
  return checkProject(session, { project, wish, verdict, found });
}

interface Given {
  readonly project: Project;
  readonly wish: Wish;
  readonly verdict: string;
  readonly found: readonly Diagnostic[];
}

async function checkProject(session: Session, given: Given): Promise<ExitCode> {
  const { project, wish, verdict, found } = given;
  const [drift, regeneration] = await Promise.all([
    checkDatabase(project.folder, session.terminal.interruption),
    isUpToDate(project, wish) ? undefined : plan(project, wish),
  ]);
  const behind = regeneration && isBehind(regeneration) ? regeneration : undefined;
  const notes = behind ? accessNotes(project.app, behind.app) : [];
  const errors = behind ? behindErrors(session, project, behind) : [];
  const diagnostics = [...notes, ...errors, ...drift];
  const isInStep = diagnostics.every(({ severity }) => severity !== 'error');
  if (behind) showPlan(session.terminal, behind, {});
  printDiagnostics(session.terminal, diagnostics);
  return report(session, {
    exit: isInStep ? exitCode.done : exitCode.behind,
    changes: behind ? reportedChanges(behind.plan, {}) : [],
    diagnostics: [...found, ...diagnostics],
    ...(isInStep && { text: `${verdict} The project is in step with it.\n` }),
  });
}

/** Loaded where it is needed: templates and compilers take their time. */
async function plan(project: Project, wish: Wish): Promise<Regeneration> {
  return (await import('./regenerate/foresee.ts')).foresee(project, wish);
}

function behindErrors(
  session: Session,
  { folder }: Project,
  regeneration: Regeneration,
): Diagnostic[] {
  const files = regeneration.plan.changes.filter(writes).length;
  const would = files > 0 ? `: ${counted(files, 'file')} would change` : '';
  const message = `The project is behind its schema${would}.`;
  const help = `Run \`${commandText({ dir: displayPath(session, folder) })}\`.`;
  return [
    ...questionDiagnostics(regeneration),
    { code: 'SCF502', severity: 'error', message, help },
  ];
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
