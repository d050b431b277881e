import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCode, UserError, type ExitCode } from '../errors.ts';
import { makeCancelled } from './ask.ts';
import { report, type Session } from './report.ts';

/** The only place where an error becomes a message and an exit status. */
export async function reportFailure(
  session: Session,
  thrown: unknown,
  options: { debug: boolean },
): Promise<ExitCode> {
  const { terminal } = session;
  const error = await nameFailure(session, thrown);
  if (terminal.json) {
    const { code, message, help, disk } = error;
    return report(session, {
      exit: error.exit,
      diagnostics: [{ code, severity: 'error', message, help }],
      data: { disk },
    });
  }
  showError(session, error);
  if (options.debug && thrown instanceof Error) terminal.err.write(`${thrown.stack}\n`);
  return error.exit;
}

async function nameFailure({ terminal, ...session }: Session, thrown: unknown): Promise<UserError> {
  if (thrown instanceof UserError) return thrown;
  if (terminal.interruption.aborted) return makeCancelled();
  if (isSystemError(thrown)) {
    const { message, code = '' } = thrown;
    return new UserError('SCF603', `${message}.`, {
      exit: exitCode.environment,
      help: systemHelps[code] ?? 'Fix the cause and run the command again.',
    });
  }
  const log = await saveLog(session, thrown);
  return new UserError('SCF999', 'This is a bug in scaffold, not your mistake.', {
    exit: exitCode.bug,
    help: `Please report it, with ${log} and the schema that caused it.`,
  });
}

const systemHelps: Readonly<Record<string, string>> = {
  EACCES: 'You have no permission there: choose another folder, or change its permissions.',
  EPERM: 'You have no permission there: choose another folder, or change its permissions.',
  EROFS: 'The disk is read-only: choose another folder.',
  ENOSPC: 'The disk is full: free some space and run the command again.',
  EDQUOT: 'The disk is full: free some space and run the command again.',
  ENOTDIR: 'There is a file where a folder is needed: choose another path.',
  ENAMETOOLONG: 'The path is too long: choose a shorter one.',
};

function isSystemError(thrown: unknown): thrown is NodeJS.ErrnoException {
  return thrown instanceof Error && 'syscall' in thrown;
}

async function saveLog(session: Omit<Session, 'terminal'>, thrown: unknown): Promise<string> {
  const log = join(await mkdtemp(join(tmpdir(), 'scaffold-')), 'error.log');
  const sections = [
    `scaffold ${session.version} on Node ${process.version}, ${process.platform} ${process.arch}`,
    `scaffold ${process.argv.slice(2).join(' ')}`,
    thrown instanceof Error ? thrown.stack : String(thrown),
  ];
  await writeFile(log, `${sections.join('\n\n')}\n`);
  return log;
}

/** Prints what is wrong, how to go on, and the state of the disk. */
function showError({ terminal }: Session, error: UserError): void {
  const { style, write } = terminal.err;
  if (error.exit === exitCode.cancelled) {
    write(`${error.message} ${error.disk}\n`);
    return;
  }
  write(`${style.bad('error')} ${style.strong(error.code)}  ${error.message}\n`);
  if (error.help) write(`  ${style.accent('help')}: ${error.help}\n`);
  write(`${error.disk}\n`);
}
