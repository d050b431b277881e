import type { Command, Option } from 'commander';
import type { CommandTree } from '../completion.ts';
import type { TakeJob } from './job.ts';

interface Given {
  readonly take: TakeJob;
  /** Of every command. */
  readonly help: Option;
}

export function addCompletion(program: Command, { take, help }: Given): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(program.createArgument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action((shell: 'bash' | 'zsh' | 'fish') => {
      take({
        name: 'completion',
        run: async (session) => {
          const { runCompletion } = await import('../completion.ts');
          return runCompletion(session, shell, describe(program, help));
        },
      });
    });
}

function describe(command: Command, help: Option): CommandTree {
  return {
    name: command.name(),
    description: command.description(),
    options: [...command.options, help].map((option) => ({
      flags: [option.short, option.long].filter((flag) => flag !== undefined),
      description: option.description,
      values: option.argChoices ?? [],
    })),
    arguments: command.registeredArguments.map(({ argChoices }) => argChoices ?? []),
    commands: command.commands.map((inner) => describe(inner, help)),
  };
}
