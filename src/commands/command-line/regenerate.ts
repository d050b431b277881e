import { Option, type Command } from 'commander';
import { regenerateHelp } from '../help.ts';
import type { TakeJob } from './job.ts';

export function addRegenerate(program: Command, take: TakeJob): void {
  program
    .command('regenerate')
    .alias('regen')
    .description('bring the edited schema into the project; your edits stay')
    .argument('[dir]', 'a project', '.')
    .optionsGroup('Look first; nothing is written:')
    .option('-n, --dry-run', 'list what would change, and why')
    .option('--diff', 'show the lines that would change')
    .option('--check', 'say only whether anything would change: status 5')
    .optionsGroup('Decide:')
    .addOption(listed('--rename <old=new>', 'Post=Article, Post.title=heading: keep the data'))
    .addOption(listed('--accept <code:target>', 'agree to a loss, as printed: SCF412:Post.title'))
    .addOption(listed('--moved <old=new>', 'where you have moved a file that scaffold made'))
    .addOption(
      new Option('--on-conflict <how>', 'both changed a line (default: markers)').choices([
        'markers',
        'ours',
        'theirs',
        'fail',
      ]),
    )
    .addOption(listed('--restore <path>', 'bring back a file that you deleted'))
    .addOption(listed('--only <model|glob>', 'these files; the others wait'))
    .option('--name <migration>', 'name of the migration')
    .option('--codemod', 'rename your uses of what was renamed')
    .optionsGroup('Other ways to run:')
    .option('--undo', 'undo the last run')
    .option('--watch', 'run at every save of the schema')
    .addHelpText('after', regenerateHelp)
    .action((dir, options) => {
      const request = { ...options, dir };
      take({
        name: 'regenerate',
        run: async (session) => (await import('../regenerate.ts')).runRegenerate(session, request),
      });
    });
}

/** An option that may be given more than once. */
function listed(flags: string, description: string): Option {
  return new Option(flags, description).argParser(
    (value: string, before: readonly string[] = []) => [...before, value],
  );
}
