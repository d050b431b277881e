import { Command, Option } from 'commander';
import type { ExitCode } from '../errors.ts';
import { packageManagers } from '../model/package-managers.ts';
import type { OnConflict } from '../project/plan.ts';
import type { Session } from '../terminal/report.ts';
import { engines } from '../types/field-type.ts';
import { version } from '../version.ts';
import type { ImportRequest } from './import.ts';
import type { NewRequest } from './new.ts';
import type { RegenerateRequest } from './regenerate/request.ts';
import type { ResolveRequest } from './resolve.ts';
import type { ExampleName } from './schema-source.ts';
import { rootHelp, newHelp, regenerateHelp, resolveHelp } from './help-texts.ts';

/** The commands and their options. Parsing passes a job to `take`, or help or the version to `answer`. */
export function createProgram(take: TakeJob, answer: (text: string) => void): Command {
  const help = new Option('-h, --help', 'print this');
  const program = new Command('scaffold')
    .description('Turns a model schema file into a complete TypeScript API server that you own.')
    .usage('<command> [options]')
    .option('-y, --yes', 'take the default answers; agree to no loss')
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
    .configureOutput({ writeOut: answer, writeErr: () => undefined })
    .exitOverride();
  program.helpCommand(false).addHelpText('after', rootHelp);
  const own = [
    addNew,
    addImport,
    addRegenerate,
    addCheck,
    addDoctor,
    addResolve,
    addWhy,
    addExplain,
  ];
  for (const add of own) add(program, take);
  return program;
}

type NewOptions = Omit<NewRequest, 'dir' | 'answered'>;

function addNew(program: Command, take: TakeJob): void {
  program
    .command('new')
    .description('make a project: files, .env, dependencies, git')
    .argument('[dir]', 'a folder that is new or empty')
    .optionsGroup('Project:')
    .option('--schema <file>', 'schema file, YAML or JSON; - reads it from standard input')
    .addOption(
      oneOf('--example <name>', 'start from an example (default: blog)', exampleNames).conflicts(
        'schema',
      ),
    )
    .addOption(oneOf('--database <engine>', 'instead of the one in the schema', engines))
    .option('--force', 'write into a folder that is not empty; replaces nothing')
    .option('--dry-run', 'list the files, write nothing')
    .optionsGroup('Set-up:')
    .addOption(
      oneOf('--pm <name>', 'package manager (default: the one that runs this)', packageManagers),
    )
    .option('--install', 'install the dependencies (default)')
    .option('--no-install', 'do not install the dependencies')
    .option('--git', 'make a git repository with a first commit (default)')
    .option('--no-git', 'leave git alone')
    .option('--start', 'start the server at the end')
    .addHelpText('after', newHelp)
    .action((dir: string | undefined, options: NewOptions, command: Command) => {
      const answered = Object.keys(options).some(
        (name) => command.getOptionValueSource(name) === 'cli',
      );
      const request = { ...options, dir, answered };
      take('new', request, async () => (await import('./new.ts')).runNew);
    });
}

function addImport(program: Command, take: TakeJob): void {
  program
    .command('import')
    .description('make schema.yaml from a Prisma schema or a database')
    .addArgument(program.createArgument('<kind>').choices(importKinds))
    .argument('<source>', 'a Prisma schema or its folder; a postgres:// address or a SQLite file')
    .option('--out <folder>', 'where schema.yaml and import-report.md are written', '.')
    .option('--force', 'overwrite schema.yaml and import-report.md')
    .action((kind: ImportRequest['kind'], path: string, options: ImportOptions) => {
      const request = { ...options, kind, path };
      take('import', request, async () => (await import('./import.ts')).runImport);
    });
}

function addRegenerate(program: Command, take: TakeJob): void {
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
    .addOption(repeatable('--rename <old=new>', 'Post=Article, Post.title=heading: keep the data'))
    .addOption(
      repeatable('--accept <code:target>', 'agree to a loss, as printed: SCF412:Post.title'),
    )
    .addOption(repeatable('--moved <old=new>', 'where you moved a file that scaffold made'))
    .addOption(
      oneOf('--on-conflict <how>', 'if both changed a line (default: markers)', onConflict),
    )
    .addOption(repeatable('--restore <path>', 'bring back a file that you deleted'))
    .option('--name <migration>', 'name of the migration')
    .option('--codemod', 'rename your uses of what was renamed')
    .optionsGroup('Other ways to run:')
    .option('--undo', 'undo the last run')
    .option('--watch', 'run at every save of the schema')
    .addHelpText('after', regenerateHelp)
    .action((dir: string, options: Omit<RegenerateRequest, 'dir'>) => {
      const request = { ...options, dir };
      take('regenerate', request, async () => (await import('./regenerate.ts')).runRegenerate);
    });
}

// Repeated here, because the module with these names takes longer to load than `--help` may take.
const exampleNames: readonly ExampleName[] = ['blog', 'shop', 'minimal'];
const onConflict: readonly OnConflict[] = ['markers', 'ours', 'theirs', 'fail'];
const importKinds: readonly ImportRequest['kind'][] = ['prisma', 'db'];

type ImportOptions = Pick<ImportRequest, 'out' | 'force'>;

const oneOf = (flags: string, description: string, choices: readonly string[]) =>
  new Option(flags, description).choices(choices);

/** An option that may be given more than once. */
function repeatable(flags: string, description: string): Option {
  return new Option(flags, description).argParser(
    (value: string, before: readonly string[] = []) => [...before, value],
  );
}

function addCheck(program: Command, take: TakeJob): void {
  program
    .command('check')
    .description('check the schema, and that the project follows it')
    .argument('[dir]', 'a project, or a schema file', '.')
    .action((path: string) =>
      take('check', path, async () => (await import('./check.ts')).runCheck),
    );
}

function addDoctor(program: Command, take: TakeJob): void {
  program
    .command('doctor')
    .description('find what keeps a project from running here')
    .argument('[dir]', 'a project', '.')
    .action((path: string) =>
      take('doctor', path, async () => (await import('./doctor.ts')).runDoctor),
    );
}

function addResolve(program: Command, take: TakeJob): void {
  program
    .command('resolve')
    .description('list the open conflicts, or resolve them')
    .argument('[path...]', 'files with conflicts, or a project: all of them')
    .addOption(new Option('--ours', 'take your lines').conflicts(['theirs', 'edited']))
    .addOption(new Option('--theirs', 'take scaffold’s lines').conflicts(['ours', 'edited']))
    .addOption(new Option('--edited', 'keep the files as you edited them').conflicts('ours'))
    .addHelpText('after', resolveHelp)
    .action((paths: readonly string[], options: Omit<ResolveRequest, 'paths'>) => {
      const request = { ...options, paths };
      take('resolve', request, async () => (await import('./resolve.ts')).runResolve);
    });
}

function addWhy(program: Command, take: TakeJob): void {
  program
    .command('why')
    .description('show where a file or a line comes from')
    .argument('<file[:line]>', 'as in src/posts/schema.ts:15')
    .action((place: string) => take('why', place, async () => (await import('./why.ts')).runWhy));
}

function addExplain(program: Command, take: TakeJob): void {
  program
    .command('explain')
    .description('explain an error code, with a bad and a good example')
    .argument('<code>', 'as printed: SCF201')
    .action((code: string) =>
      take('explain', code, async () => (await import('./explain.ts')).runExplain),
    );
}

/** Takes a command to run. Its code is loaded later, so that help and the version appear at once. */
type TakeJob = <Request>(
  name: string,
  request: Request,
  load: () => Promise<(session: Session, request: Request) => Promise<ExitCode>>,
) => void;
