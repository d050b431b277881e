import { Option, type Command } from 'commander';
import { newHelp } from '../help.ts';
import type { TakeJob } from './job.ts';

export function addNew(program: Command, take: TakeJob): void {
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
    .option('--force', 'write into a folder that is not empty; replaces nothing')
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
        run: async (session) => (await import('../new.ts')).runNew(session, request),
      });
    });
}
