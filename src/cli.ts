import { Command, CommanderError, Option } from 'commander';
import type { CommandTree } from './commands/completion.ts';
import { newHelp, rootHelp } from './commands/help.ts';
import { exitCode, type ExitCode, UserError } from './errors.ts';
import type { Session } from './terminal/report.ts';
import type { TerminalOptions } from './terminal/terminal.ts';
import { version } from './version.ts';

const help = new Option('-h, --help', 'print this');

// Until the work is known to be done: an event loop that runs dry must not look like success.
process.exitCode = exitCode.bug;
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<ExitCode> {
  const started = performance.now();
  const jobs: Job[] = [];
  const program = createProgram((job) => jobs.push(job));
  const failure = parse(program, args);
  if (failure === 'answered') return exitCode.done;

  // From here on loaded when needed: help and the version are to come at once.
  const { openTerminal } = await import('./terminal/terminal.ts');
  const [job] = jobs;
  const options = program.opts<TerminalOptions & { debug?: boolean }>();
  const session: Session = {
    command: job?.name ?? nameIn(args, program),
    terminal: openTerminal(options),
    folder: process.cwd(),
    version,
    started,
  };
  try {
    if (failure) throw failure;
    if (job) return await job.run(session);
    program.outputHelp();
    return exitCode.done;
  } catch (error) {
    const { reportFailure } = await import('./terminal/failure.ts');
    return await reportFailure(session, error, { debug: options.debug === true });
  }
}

interface Job {
  readonly name: string;
  readonly run: (session: Session) => Promise<ExitCode>;
}

/** For a command line that could not be understood as a whole. */
function nameIn(args: readonly string[], program: Command): string {
  return program.commands.find((command) => args.includes(command.name()))?.name() ?? '';
}

/** Help and the version are answered while parsing. */
function parse(program: Command, args: readonly string[]): UserError | 'answered' | undefined {
  try {
    program.parse(args, { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 'answered';
    if (error.code === 'commander.help') return undefined; // no command at all
    const [message = '', ...hints] = error.message.replace(/^error: /, '').split('\n');
    return new UserError('SCF001', sentence(message), {
      exit: exitCode.usage,
      help: [...hints.map((hint) => hint.replace(/[()]/g, '')), seeHelp(args, program)].join(' '),
    });
  }
}

function seeHelp(args: readonly string[], program: Command): string {
  return `See \`${['scaffold', nameIn(args, program), '--help'].filter(Boolean).join(' ')}\`.`;
}

function sentence(text: string): string {
  const marked = text.replaceAll("'", '`');
  return `${marked.charAt(0).toUpperCase()}${marked.slice(1)}${marked.endsWith('.') ? '' : '.'}`;
}

function createProgram(take: (job: Job) => void): Command {
  const program = new Command('scaffold')
    .description('Turns a model schema file into a complete TypeScript API server that you own.')
    .usage('<command> [options]')
    .option('-y, --yes', 'take the default answer to every question')
    .option('--no-input', 'never ask; fail and name the option instead')
    .option('--json', 'print one JSON object on standard output')
    .option('-q, --quiet', 'print results and errors only')
    .option('--no-color', 'no colours (also: NO_COLOR=1)')
    .option('--debug', 'print where an error comes from')
    .version(version, '-V, --version', 'print the version')
    .addHelpOption(help)
    .configureHelp({
      showGlobalOptions: true,
      visibleOptions: (command) => [...command.options, ...(command.parent ? [] : [help])],
      visibleGlobalOptions: (command) => (command.parent ? [...command.parent.options, help] : []),
    })
    .configureOutput({ writeErr: () => undefined })
    .exitOverride();
  program.helpCommand(false).addHelpText('after', rootHelp);
  addNew(program, take);
  addCheck(program, take);
  addExplain(program, take);
  addCompletion(program, take);
  return program;
}

function addNew(program: Command, take: (job: Job) => void): void {
  program
    .command('new')
    .description('make a project: files, .env, dependencies, git')
    .argument('[dir]', 'a folder that is new or empty')
    .optionsGroup('Project:')
    .addOption(
      new Option('--schema <file>', 'schema file, YAML or JSON; - reads it from standard input'),
    )
    .addOption(
      new Option('--example <name>', 'start from an example (default: blog)')
        .choices(['blog', 'shop', 'minimal'])
        .conflicts('schema'),
    )
    .addOption(
      new Option('--database <engine>', 'instead of the one that the schema names').choices([
        'sqlite',
        'postgres',
      ]),
    )
    .option('--force', 'write into a folder in use; replaces nothing')
    .option('--dry-run', 'list the files, write nothing')
    .optionsGroup('Set-up:')
    .addOption(
      new Option('--pm <name>', 'package manager (default: the one that runs this)').choices([
        'npm',
        'pnpm',
        'yarn',
        'bun',
      ]),
    )
    .option('--install', 'install the dependencies (default)')
    .option('--no-install', 'do not')
    .option('--git', 'make a git repository with a first commit (default)')
    .option('--no-git', 'do not')
    .option('--start', 'start the server when all is done')
    .addHelpText('after', newHelp)
    .action((dir, options, command: Command) => {
      const answered = Object.keys(options).some(
        (name) => command.getOptionValueSource(name) === 'cli',
      );
      const request = { ...options, dir, answered };
      take({
        name: 'new',
        run: async (session) => (await import('./commands/new.ts')).runNew(session, request),
      });
    });
}

function addCheck(program: Command, take: (job: Job) => void): void {
  program
    .command('check')
    .description('is the schema sound, and the project in step with it?')
    .argument('[dir]', 'a project, or a schema file', '.')
    .action((path: string) => {
      take({
        name: 'check',
        run: async (session) => (await import('./commands/check.ts')).runCheck(session, path),
      });
    });
}

function addExplain(program: Command, take: (job: Job) => void): void {
  program
    .command('explain')
    .description('an error explained, with a bad and a good example')
    .argument('<code>', 'as printed: SCF201')
    .action((code: string) => {
      take({
        name: 'explain',
        run: async (session) => (await import('./commands/explain.ts')).runExplain(session, code),
      });
    });
}

function addCompletion(program: Command, take: (job: Job) => void): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(program.createArgument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action((shell: 'bash' | 'zsh' | 'fish') => {
      take({
        name: 'completion',
        run: async (session) => {
          const { runCompletion } = await import('./commands/completion.ts');
          return runCompletion(session, shell, describe(program));
        },
      });
    });
}

function describe(command: Command): CommandTree {
  return {
    name: command.name(),
    description: command.description(),
    options: [...command.options, help].map((option) => ({
      flags: [option.short, option.long].filter((flag) => flag !== undefined),
      description: option.description,
      values: option.argChoices ?? [],
    })),
    arguments: command.registeredArguments.map(({ argChoices }) => argChoices ?? []),
    commands: command.commands.map(describe),
  };
}
