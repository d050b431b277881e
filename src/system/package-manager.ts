import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type PackageManager,
  packageManagerCommands,
  packageManagers,
} from '../model/package-managers.ts';
import { parseJson } from '../json.ts';
import { trimLockFile } from './lock-file.ts';
import { run, type ProcessResult, type ProcessOptions } from './run.ts';

/** The package manager that started scaffold: `npm/11.1.0 node/v22.14.0 linux x64`. */
export function detectPackageManager(): PackageManager {
  const agent = process.env['npm_config_user_agent']?.split('/')[0];
  return packageManagers.find((name) => name === agent) ?? 'npm';
}

/** The package manager whose lock file is in the project, or in the repository around it. */
export function choosePackageManager(folder: string): PackageManager {
  const [found] = managersIn(folder);
  if (found) return found;
  const above = dirname(folder);
  if (existsSync(join(folder, '.git')) || above === folder) return detectPackageManager();
  return choosePackageManager(above);
}

/** The package managers whose lock files are in a folder. */
export function managersIn(folder: string): readonly PackageManager[] {
  return packageManagers.filter((name) =>
    packageManagerCommands[name].locks.some((file) => existsSync(join(folder, file))),
  );
}

export async function installDependencies(
  manager: PackageManager,
  at: ProcessOptions,
): Promise<ProcessResult> {
  if (manager !== 'npm') return run(manager, ['install'], at);
  const ended = await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], at);
  if (ended.ok) await trimLockFile(join(at.folder, packageManagerCommands.npm.locks[0]));
  return ended;
}

/** Runs a script for its output, without that of the package manager. */
export function readScript(
  manager: PackageManager,
  [script, ...args]: readonly [string, ...string[]],
  at: ProcessOptions,
): Promise<ProcessResult> {
  const separator = packageManagerCommands[manager].separator.trim();
  const between = separator === '' ? [] : [separator];
  return run(manager, ['run', '--silent', script, ...between, ...args], at);
}

export function scriptCommand(manager: PackageManager, script: string, args = ''): string {
  const { separator, test } = packageManagerCommands[manager];
  const command = script === 'test' ? test : `${manager} run ${script}`;
  return args === '' ? command : `${command} ${separator}${args}`;
}

/** The same for a project on this machine. */
export const scriptOf = (folder: string, script: string) =>
  scriptCommand(choosePackageManager(folder), script);

/** The dependencies of a `package.json` and everything else in it. Empty if it cannot be read. */
export function readManifest(text = '') {
  const { dependencies, optionalDependencies, devDependencies, ...rest } = parseManifest(text);
  const hasScript = (name: string) => typeof rest.scripts?.[name] === 'string';
  const needed = { ...devDependencies, ...dependencies };
  return { packages: { ...optionalDependencies, ...needed }, needed, rest, hasScript };
}

type Packages = Readonly<Record<string, string>>;

function parseManifest(text: string): {
  readonly [key: string]: unknown;
  readonly dependencies?: Packages;
  readonly optionalDependencies?: Packages;
  readonly devDependencies?: Packages;
  readonly scripts?: Readonly<Record<string, unknown>> | null;
} {
  return { ...Object(parseJson(text) ?? { text }) };
}

/** Where a package is installed: in the project, or in the repository around it. */
export function findPackage(project: string, name: string): string | undefined {
  for (let folder = project; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (folder === dirname(folder)) return undefined;
  }
}
