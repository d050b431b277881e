import { resolve } from 'node:path';
import { exitCode, type ExitCode, UserError } from '../errors.ts';
import { isInterrupted, requireProject } from '../project/project-folder.ts';
import { readProject, type Project } from '../project/read-project.ts';
import { parseSchema } from '../schema/parse.ts';
import { showDiagnostics, report, type Diagnostic, type Session } from '../terminal/report.ts';
import { compareProject } from './check.ts';
import { diagnoseConflicts, printResolveCommand } from './conflicts.ts';
import { locateOpenConflicts } from './reported-conflict.ts';
import { examineMachine } from './doctor/machine.ts';
import { displayPath, chooseFolder } from './display-path.ts';
import { locateSchema, readSchemaText } from './schema-source.ts';
import { toDiagnostics } from './problems.ts';
import { printCommand } from './regenerate/command-text.ts';
import { toRunOptions } from './regenerate/request.ts';

interface Finding {
  readonly subject: string;
  readonly diagnostics: readonly Diagnostic[];
  /** The exit status if one of the problems is an error. */
  readonly exit: ExitCode;
}

/** Finds what keeps a project from running on this machine. The first error is the one to fix first. */
export async function runDoctor(session: Session, named: string): Promise<ExitCode> {
  const path = chooseFolder(session, named);
  const folder = resolve(session.folder, path);
  requireProject(folder);
  const examined = await examineMachine(folder, session.terminal.interruption);
  const machine = Object.entries(examined).map(([subject, diagnostics]) =>
    finding(subject, exitCode.environment)(diagnostics),
  );
  const findings = [...machine, ...(await examineProject(session, path, machine))];
  const diagnostics = findings.flatMap((it) => it.diagnostics);
  showDiagnostics(session.terminal, diagnostics);
  return report(session, {
    exit: findings.find(hasError)?.exit ?? exitCode.done,
    diagnostics,
    text: findings.map((it) => `${chooseVerdict(it).padEnd(8)} ${it.subject}\n`).join(''),
    data: { doctor: findings.map((it) => ({ subject: it.subject, verdict: chooseVerdict(it) })) },
  });
}

const hasError = ({ diagnostics }: Finding) => diagnostics.some((it) => it.severity === 'error');

function chooseVerdict({ diagnostics }: Finding): Diagnostic['severity'] | 'ok' {
  const found = (wanted: string) => diagnostics.some(({ severity }) => severity === wanted);
  return (['error', 'warning', 'note'] as const).find(found) ?? 'ok';
}

/** Checks the project. The code and the database are checked only if everything else is right. */
async function examineProject(
  session: Session,
  path: string,
  machine: readonly Finding[],
): Promise<readonly Finding[]> {
  const folder = resolve(session.folder, path);
  const read = await catchRefusal(() => readProject(folder));
  if ('refusal' in read) return [recordFinding([read.refusal])];
  const project = read.found;
  const record = recordFinding(examineRecord(session, project));
  const schemaRead = await catchRefusal(async () =>
    readSchemaText(session, locateSchema(session, path)),
  );
  if ('refusal' in schemaRead) return [record, schemaFinding([schemaRead.refusal])];
  const source = schemaRead.found;
  const { schema, problems } = parseSchema(source.text);
  const conflicts = conflictFinding(session, project);
  const found = [record, schemaFinding(toDiagnostics(source, problems)), conflicts];
  if (!schema || [...machine, ...found].some(hasError)) return found;
  const options = toRunOptions({ dir: path, check: true }, { schema, schemaText: source.text });
  const { files, database } = await compareProject(session, project, options);
  const code = finding('files and code', exitCode.behind)(files);
  return [...found, code, databaseFinding(database)];
}

/** A database that does not answer is an error here, since everything needed to ask it exists. */
function databaseFinding(found: readonly Diagnostic[]): Finding {
  const isUnasked = found.some(({ code }) => code === 'SCF609');
  const help = 'Start it, or set `DATABASE_URL` in `.env` to a running one.';
  if (!isUnasked) return finding('database', exitCode.behind)(found);
  const errors = found.map((it) => ({ ...it, severity: 'error', help }) as const);
  return finding('database', exitCode.environment)(errors);
}

const finding =
  (subject: string, exit: ExitCode) =>
  (diagnostics: readonly Diagnostic[]): Finding => ({ subject, diagnostics, exit });

const recordFinding = finding('record', exitCode.environment);
const schemaFinding = finding('schema', exitCode.schema);

function conflictFinding(session: Session, project: Project): Finding {
  const help = `See \`${printResolveCommand(displayPath(session, project.folder))}\`.`;
  const found = diagnoseConflicts(session, project.folder, locateOpenConflicts(project));
  return finding('conflicts', exitCode.conflicts)(found.map((it) => ({ ...it, help })));
}

function examineRecord(session: Session, project: Project): readonly Diagnostic[] {
  const { folder, record } = project;
  const { version } = record.generator;
  const help = `Run \`${printCommand({ dir: displayPath(session, folder) })}\`.`;
  const warning = (code: string, message: string) =>
    ({ code, severity: 'warning', message, help }) as const;
  const interrupted = 'A run was interrupted while writing; the next one repairs that.';
  const otherVersion = `The project was made by scaffold ${version}; this is ${session.version}.`;
  return [
    ...(isInterrupted(folder) ? [warning('SCF512', interrupted)] : []),
    ...(version === session.version ? [] : [warning('SCF502', otherVersion)]),
  ];
}

/** Turns an error that would end another command into a finding. */
const catchRefusal = <Found>(work: () => Promise<Found>) =>
  work().then((found) => ({ found }), toRefusal);

function toRefusal(error: unknown) {
  if (!(error instanceof UserError)) throw error;
  const { code, message, help } = error;
  return { refusal: { code, severity: 'error', message, help } } as const;
}
