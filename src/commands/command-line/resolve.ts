import { Option, type Command } from 'commander';
import { resolveHelp } from '../help.ts';
import type { TakeJob } from './job.ts';

export function addResolve(program: Command, take: TakeJob): void {
  program
    .command('resolve')
    .description('list the open conflicts, or settle them')
    .argument('[path...]', 'files with conflicts, or a project: all of them')
    .addOption(new Option('--ours', 'take your lines').conflicts(['theirs', 'edited']))
    .addOption(new Option('--theirs', 'take the lines of the schema').conflicts(['ours', 'edited']))
    .addOption(new Option('--edited', 'the files are as they should be').conflicts('ours'))
    .addHelpText('after', resolveHelp)
    .action((paths, options) => {
      const request = { ...options, paths };
      take({
        name: 'resolve',
        run: async (session) => (await import('../resolve.ts')).runResolve(session, request),
      });
    });
}
