import type { Command } from 'commander';
import type { TakeJob } from './job.ts';

export function addExplain(program: Command, take: TakeJob): void {
  program
    .command('explain')
    .description('an error explained, with a bad and a good example')
    .argument('<code>', 'as printed: SCF201')
    .action((code: string) => {
      take({
        name: 'explain',
        run: async (session) => (await import('../explain.ts')).runExplain(session, code),
      });
    });
}
