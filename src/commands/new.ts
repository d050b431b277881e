import { resolve } from 'node:path';
import { exitCode, UserError, type ExitCode } from '../errors.ts';
import { initialMigration } from '../evolve/initial.ts';
import type { App, Engine } from '../model/app.ts';
import { buildApp } from '../model/build.ts';
import { applyNew } from '../project/apply.ts';
import { planNew } from '../project/plan-new.ts';
import { renderNew } from '../project/render-project.ts';
import type { RenderedFile } from '../render/rendered-file.ts';
import { parseSchema } from '../schema/parse.ts';
import { detectPackageManager, type PackageManager } from '../system/package-manager.ts';
import { cancelled } from '../terminal/ask.ts';
import { step } from '../terminal/progress.ts';
import { printChanges, report, type Session } from '../terminal/report.ts';
import { choose, type Asked } from './new/choose.ts';
import { withDatabase, withName } from './new/edit-schema.ts';
import {
  environmentChange,
  writeEnvironment,
  commit,
  install,
  remember,
  takeBack,
} from './new/set-up.ts';
import { finish, startAndStay, type NewResult } from './new/finish.ts';
import { printAccess } from './access.ts';
import { printWarnings, reportProblems, toDiagnostics } from './problems.ts';
import { readSchemaText } from './schema-text.ts';

export interface NewRequest extends Asked {
  readonly database?: Engine;
  readonly pm?: PackageManager;
  readonly install?: boolean;
  readonly git?: boolean;
  readonly start?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

interface Project {
  readonly app: App;
  readonly folder: string;
  readonly rendered: readonly RenderedFile[];
  readonly result: NewResult;
}

/** Read, parse, build, render, plan; then, and only then, write. */
export async function runNew(session: Session, request: NewRequest): Promise<ExitCode> {
  refuseContradiction(request);
  const { dir, origin } = await choose(session, request);
  const folder = resolve(session.folder, dir);
  const given = withName(await readSchemaText(session, origin), origin, folder);
  const source = request.database ? withDatabase(given, request.database) : given;
  const { schema, problems } = parseSchema(source.text);
  if (!schema) return reportProblems(session, source, problems);
  printWarnings(session, source, problems);

  const app = buildApp(schema);
  const rendered = renderNew(app, source.text);
  const plan = planNew(rendered, { folder, force: request.force === true });
  const changes = [...plan, environmentChange].toSorted(byPath);
  const result = {
    changes,
    migration: initialMigration(app, source.text).id,
    diagnostics: toDiagnostics(source, problems),
  };
  if (request.dryRun) {
    printChanges(session.terminal, changes);
    return report(session, { exit: exitCode.done, ...result });
  }
  return makeOrTakeBack(session, request, { app, folder, rendered, result });
}

const byPath = (left: { path: string }, right: { path: string }) =>
  left.path < right.path ? -1 : 1;

function refuseContradiction(request: NewRequest): void {
  if (!request.start || request.install !== false) return;
  throw new UserError(
    'SCF001',
    '`--start` needs the dependencies, and `--no-install` leaves them out.',
    {
      exit: exitCode.usage,
      help: 'Leave one of the two out.',
    },
  );
}

async function makeOrTakeBack(
  session: Session,
  request: NewRequest,
  project: Project,
): Promise<ExitCode> {
  const before = await remember(project.folder);
  try {
    return await make(session, request, project);
  } catch (error) {
    await takeBack(before);
    const { aborted } = session.terminal.interruption;
    throw aborted ? cancelled('Nothing is left of this run.') : error;
  }
}

async function make(session: Session, request: NewRequest, project: Project): Promise<ExitCode> {
  const { terminal } = session;
  const { app, folder, result } = project;
  const at = { folder, interruption: terminal.interruption };
  const manager = request.pm ?? detectPackageManager(process.env);
  const wantsInstall = request.install !== false;

  await step(terminal, 'files', () => write(session, project));
  if (!terminal.quiet) printChanges(terminal, result.changes);
  printAccess(terminal, app);
  const failures = wantsInstall ? await install({ terminal, at }, manager) : [];
  const remarks = request.git === false ? [] : await commit({ terminal, at }, `Start ${app.name}`);
  const installed = wantsInstall && failures.length === 0;
  const last = {
    app,
    result,
    remarks: [...failures, ...remarks],
    situation: { here: session.folder, folder, manager, installed },
  };
  return request.start && installed ? startAndStay(session, last) : finish(session, last);
}

async function write({ terminal }: Session, { app, folder, rendered, result }: Project) {
  await applyNew(rendered, { app, folder });
  await writeEnvironment(folder, rendered);
  if (terminal.interruption.aborted) throw cancelled();
  return { value: undefined, ok: true, note: `${result.changes.length} written` };
}
