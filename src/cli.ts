import { Command, CommanderError, Option } from 'commander';
import type { CommandTree } from './commands/completion.ts';
import { exitCode, type ExitCode, UserError } from './errors.ts';
import { reportFailure } from './terminal/failure.ts';
import type { Session } from './terminal/report.ts';
import { openTerminal, type TerminalOptions } from './terminal/terminal.ts';
import { version } from './version.ts';

// Until the work is known to be done: an event loop that runs dry must not look like success.
process.exitCode = exitCode.bug;
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<ExitCode> {
  const started = performance.now();
  const jobs: Job[] = [];
  const program = createProgram((job) => jobs.push(job));
  const failure = parse(program, args);
  if (failure === 'answered') return exitCode.done;

  const [job] = jobs;
  const options = program.opts<TerminalOptions & { debug: boolean }>();
  const session: Session = {
    command: job?.name ?? '',
    terminal: openTerminal(options),
    folder: process.cwd(),
    version,
    started,
  };
  try {
    if (failure) throw failure;
    if (job) return await job.run(session);
    session.terminal.out.write(program.helpInformation());
    return exitCode.done;
  } catch (error) {
    return await reportFailure(session, error, { debug: options.debug });
  }
}

interface Job {
  readonly name: string;
  readonly run: (session: Session) => Promise<ExitCode>;
}

/** Help and the version are answered while parsing. */
function parse(program: Command, args: readonly string[]): UserError | 'answered' | undefined {
  try {
    program.parse(args, { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 'answered';
    const [message = '', ...hints] = error.message.replace(/^error: /, '').split('\n');
    return new UserError('SCF001', sentence(message), {
      exit: exitCode.usage,
      help: [...hints.map((hint) => hint.replace(/[()]/g, '')), 'scaffold --help'].join(' · '),
    });
  }
}

function sentence(text: string): string {
  const marked = text.replaceAll("'", '`');
  return `${marked.charAt(0).toUpperCase()}${marked.slice(1)}${marked.endsWith('.') ? '' : '.'}`;
}

function createProgram(take: (job: Job) => void): Command {
  const program = new Command('scaffold')
    .description('Turns a model schema file into a complete TypeScript API server that you own.')
    .usage('<command> [options]')
    .optionsGroup('Everywhere:')
    .option('-y, --yes', 'take the default answer to every question', false)
    .option('--no-input', 'never ask; fail and name the option instead')
    .option('--json', 'print one JSON object on standard output', false)
    .option('-q, --quiet', 'print results and errors only', false)
    .option('--no-color', 'no colours (also: NO_COLOR=1)')
    .option('--debug', 'print where an error comes from', false)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeErr: () => undefined })
    .exitOverride();
  program.helpCommand(false).addHelpText('after', rootHelp);
  addNew(program, take);
  addCheck(program, take);
  addExplain(program, take);
  addCompletion(program, take);
  return program;
}

const rootHelp = `
Examples:
  scaffold new                                     ask two questions, then go
  scaffold new my-api --example blog --start       make, install and start a project
  scaffold check my-api                            is the schema sound, and the project in step with it?

Exit codes:
  0 done   1 our bug   2 usage   3 schema invalid   5 behind the schema
  6 environment   7 a decision is needed   130 cancelled
`;

function addNew(program: Command, take: (job: Job) => void): void {
  program
    .command('new')
    .description('make a project: files, first migration, .env, dependencies, git')
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
    .option('--force', 'write into a folder that is in use, replacing files of the same name')
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

const newHelp = `
Examples:
  scaffold new                                     ask two questions, then go
  scaffold new shop --example shop --start         no question; install and start
  scaffold new shop --schema models.yaml --database postgres --pm pnpm
  cat models.yaml | scaffold new shop --schema - --no-install --json

Without a terminal, or with any option, nothing is asked: name a folder, all else has a default.
`;

function addCheck(program: Command, take: (job: Job) => void): void {
  program
    .command('check')
    .description('validate the schema, and say whether the project is behind it')
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
    .description('the long form of an error, with a bad and a good example')
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
    options: command.options.map((option) => ({
      flags: [option.short, option.long].filter((flag) => flag !== undefined),
      description: option.description,
      values: option.argChoices ?? [],
    })),
    arguments: command.registeredArguments.map(({ argChoices }) => argChoices ?? []),
    commands: command.commands.map(describe),
  };
}
