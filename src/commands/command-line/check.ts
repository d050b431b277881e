import type { Command } from 'commander';
import type { TakeJob } from './job.ts';

export function addCheck(program: Command, take: TakeJob): void {
  program
    .command('check')
    .description('is the schema valid, and the project in step with it?')
    .argument('[dir]', 'a project, or a schema file', '.')
    .action((path: string) => {
      take({
        name: 'check',
        run: async (session) => (await import('../check.ts')).runCheck(session, path),
      });
    });
}
