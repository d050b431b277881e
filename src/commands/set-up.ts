import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../errors.ts';
import type { PackageManager } from '../model/package-managers.ts';
import type { RenderedFile } from '../render/rendered-file.ts';
import { installDependencies } from '../system/package-manager.ts';
import { type ProcessResult, type ProcessOptions, run } from '../system/run.ts';
import { makeCancelled } from '../terminal/ask.ts';
import { runStep } from '../terminal/progress.ts';
import type { Diagnostic } from '../terminal/report.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Installs the dependencies. If that fails, the project stays, for another attempt. */
export async function install(
  terminal: Terminal,
  at: ProcessOptions,
  manager: PackageManager,
): Promise<Diagnostic[]> {
  const { ok, output } = await runStep(terminal, 'dependencies', async () => {
    const ended = await installDependencies(manager, at);
    if (at.interruption.aborted) throw makeCancelled();
    return { value: ended, ok: ended.ok, note: `${manager} install` };
  });
  if (ok) return [];
  const lines = output.trimEnd().split('\n').slice(-20);
  const last = lines.map((line) => `    ${line}`).join('\n');
  const message = `\`${manager} install\` failed. Its last lines:\n${last}`;
  const help = `Fix the problem and run \`${manager} install\` again.`;
  return [{ code: 'SCF602', severity: 'error', message, help }];
}

export async function commit(
  terminal: Terminal,
  at: ProcessOptions,
  message: string,
): Promise<Diagnostic[]> {
  const isDone = await runStep(terminal, 'git', async () => {
    const note = await commitAll(message, at);
    if (at.interruption.aborted) throw makeCancelled();
    const ok = note !== undefined;
    return { value: ok, ok, note: note ?? 'no commit was made' };
  });
  if (isDone) return [];
  return [{ code: 'SCF605', severity: 'warning', message: 'git could not make the first commit.' }];
}

export const environmentFile = { path: '.env', action: 'create' } as const;

/** Writes `.env`: the example with a new secret. Git ignores it, and other users of the machine cannot read it. */
export async function writeEnvironment(
  folder: string,
  rendered: readonly RenderedFile[],
): Promise<void> {
  const example = rendered.find(({ path }) => path === '.env.example')?.content ?? '';
  const secret = `AUTH_SECRET_KEY=${randomBytes(48).toString('hex')}`;
  const content = example.replace(/^AUTH_SECRET_KEY=.*$/m, secret);
  // An existing secret may have signed tokens.
  await writeFile(join(folder, '.env'), content, { mode: 0o600, flag: 'wx' }).catch(
    (error: unknown) => {
      if (!hasCode(error, ['EEXIST'])) throw error;
    },
  );
}

/** Makes a repository with one commit. Returns what was done; undefined if a git command failed. */
async function commitAll(message: string, at: ProcessOptions): Promise<string | undefined> {
  const git = (...args: string[]): Promise<ProcessResult> => run('git', args, at);
  if (!(await git('--version')).ok) return 'not installed, left out';
  const isInside = (await git('rev-parse', '--is-inside-work-tree')).ok;
  if (isInside) return 'left to the repository around it';

  const hasUser = (await git('config', 'user.email')).ok && (await git('config', 'user.name')).ok;
  const identity = hasUser
    ? []
    : ['-c', 'user.name=scaffold', '-c', 'user.email=scaffold@localhost'];
  const quiet = [...identity, '-c', 'commit.gpgsign=false', '-c', 'core.safecrlf=false'];
  const steps = [
    ['-c', 'init.defaultBranch=main', 'init', '--quiet'],
    ['add', '--all'],
    [...quiet, 'commit', '--quiet', '--no-verify', `--message=${message}`],
  ];
  for (const command of steps) {
    if (!(await git(...command)).ok) return undefined;
  }
  return 'first commit';
}
