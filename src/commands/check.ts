import { printCount, inTicks } from '../words.ts';
import { present } from '../present.ts';
import { resolve } from 'node:path';
import { exitCode, type ExitCode } from '../errors.ts';
import { buildApp } from '../model/build.ts';
import { isProject } from '../project/project-folder.ts';
import { needsUpdate, type RunOptions } from '../project/plan.ts';
import { buildNext, isUpToDate } from '../project/plan/next-app.ts';
import { readProject, type Project } from '../project/read-project.ts';
import { planRegeneration, type Regeneration } from '../project/regeneration.ts';
import { parseSchema } from '../schema/parse.ts';
import type { ProcessOptions } from '../system/run.ts';
import { showDiagnostics, report, type Diagnostic, type Session } from '../terminal/report.ts';
import { listAccessNotes, showAccess } from './access.ts';
import { reportOpenConflicts } from './conflicts.ts';
import { askStatus, type DatabaseStatus } from './database-status.ts';
import { chooseFolder } from './display-path.ts';
import { locateSchema, readSchemaText } from './schema-source.ts';
import { showWarnings, reportProblems, toDiagnostics } from './problems.ts';
import { listBehindErrors } from './regenerate/open-questions.ts';
import { diagnoseMisfits } from './regenerate/semantic/diagnostics.ts';
import { toRunOptions } from './regenerate/request.ts';
import { checkAsItStands } from './regenerate/semantic/misfits.ts';
import { listReportedChanges, showPlan } from './regenerate/show-plan.ts';
import { scriptOf } from '../system/package-manager.ts';

/** Checks the schema and, in a project, whether the code, the migrations and the database follow it. */
export async function runCheck(session: Session, named: string): Promise<ExitCode> {
  const path = chooseFolder(session, named);
  const source = await readSchemaText(session, locateSchema(session, path));
  const { schema, problems } = parseSchema(source.text);
  if (!schema) return reportProblems(session, source, problems);
  showWarnings(session, source, problems);

  const warnings = toDiagnostics(source, problems);
  const app = buildApp(schema);
  const models = printCount(app.models.length, 'model');
  const verdict = `\`${source.file}\` is valid: ${models}.`;
  showAccess(session.terminal, app);
  const folder = resolve(session.folder, path);
  if (!isProject(folder)) {
    return report(session, { exit: exitCode.done, diagnostics: warnings, text: `${verdict}\n` });
  }
  const project = await readProject(folder);
  if (project.openConflicts.length > 0) return reportOpenConflicts(session, project);
  const options = toRunOptions({ dir: path, check: true }, { schema, schemaText: source.text });
  const { behind, ...found } = await compareProject(session, project, options);
  const diagnostics = [...found.files, ...found.database];
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const isInStep = errors === 0;
  if (behind) showPlan(session.terminal, behind, {});
  showDiagnostics(session.terminal, diagnostics);
  if (!isInStep && !session.terminal.json)
    session.terminal.err.write(`\n${verdict} The project has ${printCount(errors, 'problem')}.\n`);
  return report(session, {
    exit: isInStep ? exitCode.done : exitCode.behind,
    changes: behind ? listReportedChanges(behind.plan, {}) : [],
    diagnostics: [...warnings, ...diagnostics],
    ...(isInStep && { text: `${verdict} The project is in step with it.\n` }),
  });
}

/** Finds where the files, the code and the database of a project differ from its schema. */
export async function compareProject(
  session: Session,
  project: Project,
  options: RunOptions,
): Promise<{
  readonly behind?: Regeneration;
  readonly files: readonly Diagnostic[];
  readonly database: readonly Diagnostic[];
}> {
  const { folder } = project;
  const { interruption } = session.terminal;
  const next = buildNext(project, options);
  const [database, regeneration] = await Promise.all([
    checkDatabase({ folder, interruption }),
    isUpToDate(project, next, options) ? undefined : planRegeneration(project, next, options),
  ]);
  const fit = await checkAsItStands(project, interruption);
  const misfits = diagnoseMisfits(session, folder, fit);
  if (!regeneration || !needsUpdate(regeneration)) return { files: misfits, database };
  const notes = listAccessNotes(project.app, regeneration.app);
  const errors = listBehindErrors(session, folder, regeneration);
  return { behind: regeneration, files: [...notes, ...errors, ...misfits], database };
}

/** What the project's own `db:status` reports; a note (SCF609) if it cannot be run. */
async function checkDatabase(at: ProcessOptions): Promise<readonly Diagnostic[]> {
  const answer = await askStatus(at);
  if ('status' in answer) return diagnose(answer.status, at.folder);
  const message = `The database was not checked: ${answer.reason}`;
  return [{ code: 'SCF609', severity: 'note', message }];
}

function diagnose(status: DatabaseStatus, folder: string): readonly Diagnostic[] {
  const { pending, unknown, altered, underWay, drift } = status;
  return [
    ...(underWay ? [unfinished(underWay, folder)] : []),
    ...pendingWarning(pending, folder),
    ...unknown.map((id) =>
      databaseError(
        `The database has applied \`${id}\`, which is not in migrations/.`,
        `Deploy the code that made it; or restore \`migrations/${id}\` from version control, and run \`npx scaffold regenerate\`.`,
      ),
    ),
    ...altered.map((id) => databaseError(`\`migrations/${id}\` was edited after it was applied.`)),
    ...drift.filter(({ kind }) => kind !== 'extra').map(describeDrift),
    ...ownNote(drift),
  ];
}

function databaseError(message: string, help?: string): Diagnostic {
  return { code: 'SCF515', severity: 'error', message, ...present({ help }) };
}

function unfinished(
  { id, command }: NonNullable<DatabaseStatus['underWay']>,
  folder: string,
): Diagnostic {
  const message = `The migration \`${id}\` was applied to the database in part.`;
  return databaseError(message, `\`${scriptOf(folder, command)}\` finishes it.`);
}

function pendingWarning(pending: readonly string[], folder: string): readonly Diagnostic[] {
  if (pending.length === 0) return [];
  const message = `Not applied to the database yet: ${inTicks(pending).join(', ')}.`;
  const help = `Run \`${scriptOf(folder, 'db:migrate')}\`, or start the server.`;
  return [{ code: 'SCF515', severity: 'warning', message, help }];
}

/** Objects that no migration made belong to the owner. */
function ownNote(drift: DatabaseStatus['drift']): readonly Diagnostic[] {
  const own = drift.filter(({ kind }) => kind === 'extra').map(({ object }) => object);
  if (own.length === 0) return [];
  const message = `The database also has: ${own.join(', ')}.`;
  return [{ code: 'SCF515', severity: 'note', message }];
}

function describeDrift(difference: DatabaseStatus['drift'][number]): Diagnostic {
  const { kind, object, expected, found } = difference;
  if (kind === 'missing') return databaseError(`The database is missing: ${object}.`);
  const texts = expected && found ? ` It is \`${found}\` and should be \`${expected}\`.` : '';
  return databaseError(`The database differs in: ${object}.${texts}`);
}
