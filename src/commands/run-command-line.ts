import { CommanderError, type Command } from 'commander';
import { exitCode, type ExitCode, UserError } from '../errors.ts';
import type { Session } from '../terminal/report.ts';
import type { Terminal, TerminalOptions } from '../terminal/terminal.ts';
import { version } from '../version.ts';
import { createProgram } from './command-line.ts';

/** `answer` prints help or the version. */
export async function runCommandLine(
  args: readonly string[],
  {
    folder,
    answer,
    openTerminal,
  }: {
    readonly folder: string;
    readonly answer: (text: string) => void;
    readonly openTerminal: (options: TerminalOptions) => Promise<Terminal>;
  },
): Promise<ExitCode> {
  const started = performance.now();
  const jobs: (readonly [name: string, run: (session: Session) => Promise<ExitCode>])[] = [];
  const program = createProgram((name, request, load) => {
    jobs.push([name, async (session) => (await load())(session, request)]);
  }, answer);
  const failure = parseArgs(program, args);
  if (failure === 'answered') return exitCode.done;

  const [[name, run] = []] = jobs;
  const options = program.opts<TerminalOptions & { debug?: boolean }>();
  const session: Session = {
    command: name ?? nameIn(args, program),
    terminal: await openTerminal(options),
    folder,
    version,
    started,
  };
  try {
    if (failure) throw failure;
    if (run) return await run(session);
    program.outputHelp();
    return exitCode.done;
  } catch (error) {
    const { reportFailure } = await import('../terminal/failure.ts');
    return await reportFailure(session, error, { debug: options.debug === true });
  }
}

/** The name of the command, for a command line that could not be parsed. */
function nameIn(args: readonly string[], program: Command): string {
  const called = args.map((word) =>
    program.commands.find((it) => [it.name(), ...it.aliases()].includes(word)),
  );
  return called.find((it) => it !== undefined)?.name() ?? '';
}

/** Parsing also prints help and the version. */
function parseArgs(program: Command, args: readonly string[]): UserError | 'answered' | undefined {
  try {
    program.parse(args, { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 'answered';
    if (error.code === 'commander.help') return undefined; // no command at all
    const meant = meantBy(args.find((word) => !word.startsWith('-')));
    const [message = '', ...hints] = error.message.replace(/^error: /, '').split('\n');
    return new UserError('SCF001', sentence(message), {
      exit: exitCode.usage,
      help: [
        ...hints.map((hint) => hint.replace(/[()]/g, '')),
        ...(meant === undefined ? [] : [`Did you mean \`npx scaffold ${meant}\`?`]),
        `See \`${['scaffold', nameIn(args, program), '--help'].filter(Boolean).join(' ')}\`.`,
      ].join(' '),
    });
  }
}

/** The command that a word of another generator means. */
function meantBy(word = ''): string | undefined {
  if (['init', 'create'].includes(word)) return 'new';
  if (['generate', 'migrate', 'update', 'sync'].includes(word)) return 'regenerate';
  return word === 'validate' ? 'check' : undefined;
}

function sentence(text: string): string {
  const marked = text.replaceAll("'", '`');
  return `${marked.charAt(0).toUpperCase()}${marked.slice(1)}${marked.endsWith('.') ? '' : '.'}`;
}
