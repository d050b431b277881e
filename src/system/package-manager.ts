import { run, runInForeground, type Ended, type Running } from './run.ts';

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const managers: readonly PackageManager[] = ['npm', 'pnpm', 'yarn', 'bun'];

/** The one that started us says so: `npm/11.1.0 node/v22.14.0 linux x64`. */
export function detectPackageManager(env: NodeJS.ProcessEnv): PackageManager {
  const agent = env['npm_config_user_agent']?.split('/')[0];
  return managers.find((name) => name === agent) ?? 'npm';
}

export function installDependencies(manager: PackageManager, at: Running): Promise<Ended> {
  return run(manager, installArguments[manager], at);
}

const installArguments: Readonly<Record<PackageManager, readonly string[]>> = {
  npm: ['install', '--no-audit', '--no-fund', '--loglevel=error'],
  pnpm: ['install'],
  yarn: ['install'],
  bun: ['install'],
};

export function runScript(manager: PackageManager, script: string, at: Running): Promise<Ended> {
  return runInForeground(manager, ['run', script], at);
}

/** For people to type. */
export function scriptCommand(manager: PackageManager, script: string): string {
  return manager === 'npm' && script === 'test' ? 'npm test' : `${manager} run ${script}`;
}
