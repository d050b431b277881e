import { listFirst, inTicks } from '../../words.ts';
import { parseJson } from '../../json.ts';
import { fileURLToPath } from 'node:url';
import { packageManagerCommands } from '../../model/package-managers.ts';
import { openDisk, readText } from '../../project/disk.ts';
import { listUnlocked } from '../../system/lock-file.ts';
import {
  choosePackageManager,
  managersIn,
  readManifest,
  findPackage,
} from '../../system/package-manager.ts';
import { isFree } from '../../system/port.ts';
import { run, type ProcessOptions } from '../../system/run.ts';
import type { Diagnostic } from '../../terminal/report.ts';

/** Problems of Node.js, packages, settings and the port, as the project sees them. */
export async function examineMachine(
  folder: string,
  interruption: AbortSignal,
): Promise<Readonly<Record<string, readonly Diagnostic[]>>> {
  const at = { folder, interruption };
  const missing = missingPackages(folder);
  const settings = missing.length === 0 ? await readSettings(at) : undefined;
  return {
    'Node.js': await examineNode(at),
    packages: [...missing, ...examineLockFiles(folder)],
    settings: settings === undefined ? [] : examineSettings(settings, folder),
    port: settings?.port === undefined ? [] : await examinePort(settings.port),
  };
}

/** The Node.js that scripts of the project use, which may differ from ours. */
async function examineNode(at: ProcessOptions): Promise<readonly Diagnostic[]> {
  const program = fileURLToPath(new URL('../../../bin/scaffold.js', import.meta.url));
  const { ok, output } = await run('node', [program, '--version'], at);
  if (ok) return [];
  const [, message] = /SCF601 {2}(.*)/.exec(output) ?? [];
  return [
    {
      code: 'SCF601',
      severity: 'error',
      message: message ?? 'There is no `node` that runs in the project.',
      help: 'Install Node 24 from https://nodejs.org, or choose it with your version manager.',
    },
  ];
}

function missingPackages(folder: string): readonly Diagnostic[] {
  const text = readText(openDisk(folder), 'package.json');
  const names = Object.keys(readManifest(text).needed);
  const missing = names.filter((name) => findPackage(folder, name) === undefined);
  if (missing.length === 0) return [];
  const message = `Not installed: ${listFirst(inTicks(missing))}.`;
  const help = `Run \`${choosePackageManager(folder)} install\` in the project.`;
  return [{ code: 'SCF606', severity: 'error', message, file: 'package.json', help }];
}

function examineLockFiles(folder: string): readonly Diagnostic[] {
  const managers = managersIn(folder);
  const text = readText(openDisk(folder), 'package-lock.json') ?? '';
  const unlocked = listUnlocked(text);
  const several = `There are lock files of ${managers.join(' and ')}: they will differ, and only one is checked.`;
  const incomplete = `The lock file lacks packages of other platforms (${listFirst(unlocked)}): \`npm ci\` refuses it.`;
  return [
    ...(managers.length > 1 ? [lockWarning(several, 'Remove the one you do not use.')] : []),
    ...(unlocked.length > 0
      ? [lockWarning(incomplete, 'Remove it, and run `npm install` with a registry that has them.')]
      : []),
  ].map((it) => ({ ...it, file: packageManagerCommands[managers[0] ?? 'npm'].locks[0] }));
}

function lockWarning(message: string, help: string): Diagnostic {
  return { code: 'SCF606', severity: 'warning', message, help };
}

interface SettingsAnswer {
  /** Absent if the code that reads the settings does not run. */
  readonly problems?: readonly string[];
  readonly port?: number;
}

/** The settings as the server reads them. */
async function readSettings(at: ProcessOptions): Promise<SettingsAnswer> {
  const args = ['--input-type=module', '--eval', program];
  const { answer } = await run('node', args, at);
  return Object(parseJson(answer));
}

const program = `
import '@oxc-node/core/register';
try {
  const { loadConfig, readEnvironment } = await import('./src/config.ts');
  const { port } = loadConfig(readEnvironment());
  console.log(JSON.stringify({ problems: [], port }));
} catch ({ problems }) {
  console.log(JSON.stringify({ problems }));
}
`;

function examineSettings({ problems }: SettingsAnswer, folder: string): readonly Diagnostic[] {
  if (problems === undefined) {
    const message = 'The settings were not read: `src/config.ts` does not run.';
    const help = 'Start the server: it shows why.';
    return [{ code: 'SCF607', severity: 'error', message, file: 'src/config.ts', help }];
  }
  const isThere = readText(openDisk(folder), '.env') !== undefined;
  const help = isThere
    ? '`.env.example` says what each setting takes.'
    : 'There is no `.env`: copy `.env.example`, and give it a secret of its own.';
  return problems.map((message) => ({
    code: 'SCF607',
    severity: 'error',
    message,
    ...(isThere && { file: '.env' }),
    help,
  }));
}

async function examinePort(port: number): Promise<readonly Diagnostic[]> {
  if (port === 0 || (await isFree(port))) return [];
  const message = `Port ${port} is in use.`;
  const help =
    'If another program uses it, stop that program, or set `PORT` in `.env` to another port.';
  return [{ code: 'SCF608', severity: 'warning', message, help }];
}
