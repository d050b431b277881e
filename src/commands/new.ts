import { resolve } from 'node:path';
import { exitCode, UserError, type ExitCode } from '../errors.ts';
import { initialId } from '../evolve/initial.ts';
import type { PackageManager } from '../model/package-managers.ts';
import { buildApp } from '../model/build.ts';
import { applyNew, planNew, findFolderFlaw } from '../project/new-project.ts';
import { byPath } from '../project/paths.ts';
import { renderNew } from '../project/render-project.ts';
import { parseSchema } from '../schema/parse.ts';
import { detectPackageManager } from '../system/package-manager.ts';
import { makeCancelled, ask, type Question } from '../terminal/ask.ts';
import { runStep } from '../terminal/progress.ts';
import { showChanges, report, type Session } from '../terminal/report.ts';
import { showAccess } from './access.ts';
import { reportNew, startAndStay } from './finish-new.ts';
import type { NewProject } from './new-steps.ts';
import { environmentFile, writeEnvironment, commit, install } from './set-up.ts';
import { prepareRemoval } from './remove-created.ts';
import { readSchemaText, examples, type SchemaOrigin } from './schema-source.ts';
import { showWarnings, reportProblems, toDiagnostics } from './problems.ts';
import { withDatabase, withName, withOwnModeline } from './edit-schema.ts';
import type { Engine } from '../types/field-type.ts';

export interface NewRequest extends AskedOptions {
  readonly database?: Engine;
  readonly pm?: PackageManager;
  readonly install?: boolean;
  readonly git?: boolean;
  readonly start?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** Reads, parses, builds, renders and plans before it writes anything. */
export async function runNew(session: Session, request: NewRequest): Promise<ExitCode> {
  refuseContradiction(request);
  const { dir, origin } = await choose(session, request);
  const folder = resolve(session.folder, dir);
  const read = withOwnModeline(await readSchemaText(session, origin));
  const named = withName(read, origin, folder);
  const source = request.database ? withDatabase(named, request.database) : named;
  const { schema, problems } = parseSchema(source.text);
  if (!schema) return reportProblems(session, source, problems);
  showWarnings(session, source, problems);

  const manager = request.pm ?? detectPackageManager();
  const app = { ...buildApp(schema), ...(manager !== 'npm' && { packageManager: manager }) };
  const rendered = renderNew(app, source.text);
  const plan = planNew(rendered, { folder, force: request.force === true });
  const changes = [...plan, environmentFile].toSorted(byPath);
  const result = { changes, migration: initialId, diagnostics: toDiagnostics(source, problems) };
  if (request.dryRun) {
    showChanges(session.terminal, changes);
    return report(session, { exit: exitCode.done, ...result });
  }
  const removeCreated = await prepareRemoval(folder);
  try {
    return await make(session, request, { app, folder, manager, rendered, ...result });
  } catch (error) {
    await removeCreated();
    const { aborted } = session.terminal.interruption;
    throw aborted ? makeCancelled('Everything that this run wrote was removed.') : error;
  }
}

function refuseContradiction(request: NewRequest): void {
  if (!request.start || request.install !== false) return;
  const message = '`--start` needs the dependencies, and `--no-install` leaves them out.';
  throw new UserError('SCF001', message, {
    exit: exitCode.usage,
    help: 'Leave one of the two out.',
  });
}

/** Applies the plan, then installs, commits and, if wanted, starts the server. */
async function make(session: Session, request: NewRequest, project: NewProject): Promise<ExitCode> {
  const { terminal } = session;
  const { app, folder, manager } = project;
  const at = { folder, interruption: terminal.interruption };
  const wantsInstall = request.install !== false;

  await runStep(terminal, 'files', () => writeProject(session, project));
  if (!terminal.quiet) showChanges(terminal, project.changes);
  showAccess(terminal, app);
  const failures = wantsInstall ? await install(terminal, at, manager) : [];
  const others = request.git === false ? [] : await commit(terminal, at, `Start ${app.name}`);
  const isInstalled = wantsInstall && failures.length === 0;
  const finish = request.start && isInstalled ? startAndStay : reportNew;
  return finish(session, project, { isInstalled, remarks: [...failures, ...others] });
}

async function writeProject({ terminal }: Session, { app, folder, rendered, changes }: NewProject) {
  await applyNew(rendered, { app, folder });
  await writeEnvironment(folder, rendered);
  if (terminal.interruption.aborted) throw makeCancelled();
  return { value: undefined, ok: true, note: `${changes.length} written` };
}

interface AskedOptions {
  readonly dir?: string | undefined;
  readonly schema?: string;
  readonly example?: string;
  /** Whether an option was given, so that nothing is asked. */
  readonly answered: boolean;
}

/** Asks at most two questions. Only the folder has no default when nobody can be asked. */
async function choose(
  session: Session,
  asked: AskedOptions,
): Promise<{ readonly dir: string; readonly origin: SchemaOrigin }> {
  const { folder } = session;
  const interactive = session.terminal.interactive && !asked.answered;
  const terminal = { ...session.terminal, interactive };
  const dir = asked.dir ?? (await ask(terminal, folderQuestion(folder)));
  const given = givenOrigin(asked);
  if (given) return { dir, origin: given };
  const name = interactive ? await ask(terminal, schemaQuestion) : 'blog';
  return { dir, origin: { kind: 'example', name } };
}

function folderQuestion(here: string): Question {
  return {
    flag: '[dir]',
    instead: 'For example: `npx scaffold new my-api`.',
    message: 'Project folder?',
    initial: 'my-api',
    refuse: (answer) => findFolderFlaw({ folder: resolve(here, answer), force: false }),
  };
}

const schemaQuestion: Question = {
  flag: '--schema',
  instead: 'For example: `npx scaffold new my-api --example blog`.',
  message: 'Start from which schema? (`--schema` takes any file)',
  initial: 'blog',
  choices: Object.entries(examples).map(([answer, what]) => ({
    answer,
    title: `${answer.padEnd(8)} ${what}`,
  })),
};

function givenOrigin({ schema, example }: AskedOptions): SchemaOrigin | undefined {
  if (schema === '-') return { kind: 'stdin' };
  if (schema !== undefined) return { kind: 'file', path: schema };
  return example === undefined ? undefined : { kind: 'example', name: example };
}
