import { Command, Option } from 'commander';
import { rootHelp } from '../help.ts';
import { version } from '../../version.ts';
import { addCheck } from './check.ts';
import { addCompletion } from './completion.ts';
import { addExplain } from './explain.ts';
import type { TakeJob } from './job.ts';
import { addNew } from './new.ts';
import { addRegenerate } from './regenerate.ts';
import { addResolve } from './resolve.ts';

/** The commands with their options; parsing a command line hands over what is to be done. */
export function createProgram(take: TakeJob): Command {
  const help = new Option('-h, --help', 'print this');
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
  for (const add of [addNew, addRegenerate, addCheck, addResolve, addExplain]) add(program, take);
  addCompletion(program, { take, help });
  return program;
}
