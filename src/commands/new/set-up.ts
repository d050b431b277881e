import { commitAll } from '../../system/git.ts';
import { installDependencies, type PackageManager } from '../../system/package-manager.ts';
import type { Running } from '../../system/run.ts';
import { cancelled } from '../../terminal/ask.ts';
import { step } from '../../terminal/progress.ts';
import type { Diagnostic } from '../../terminal/report.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { randomBytes } from 'node:crypto';
import { writeFile, readdir, rm } from 'node:fs/promises';
import { join, dirname } from 'node:path';
import { InternalError } from '../../errors.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import { existsSync } from 'node:fs';

interface SetUp {
  readonly terminal: Terminal;
  readonly at: Running;
}

/** Installs the dependencies; when that fails the project stays, for another try. */
export async function install(
  { terminal, at }: SetUp,
  manager: PackageManager,
): Promise<Diagnostic[]> {
  const { ok, output } = await step(terminal, 'dependencies', async () => {
    const ended = await installDependencies(manager, at);
    if (at.interruption.aborted) throw cancelled();
    return { value: ended, ok: ended.ok, note: `${manager} install` };
  });
  if (ok) return [];
  const message = `\`${manager} install\` failed. Its last lines:\n${lastLines(output)}`;
  const help = `Fix the problem and run \`${manager} install\` again.`;
  return [{ code: 'SCF602', severity: 'error', message, help }];
}

function lastLines(output: string): string {
  const lines = output.trimEnd().split('\n').slice(-20);
  return lines.map((line) => `    ${line}`).join('\n');
}

const outcomes = {
  made: { ok: true, note: 'first commit' },
  'inside another repository': { ok: true, note: 'left to the repository around it' },
  'git is not installed': { ok: true, note: 'not installed, left out' },
  failed: { ok: false, note: 'no commit was made' },
} as const;

export async function commit({ terminal, at }: SetUp, message: string): Promise<Diagnostic[]> {
  const outcome = await step(terminal, 'git', async () => {
    const value = await commitAll(message, at);
    if (at.interruption.aborted) throw cancelled();
    return { value, ...outcomes[value] };
  });
  if (outcome !== 'failed') return [];
  return [{ code: 'SCF605', severity: 'warning', message: 'git could not make the first commit.' }];
}

export const environmentChange = { path: '.env', action: 'create' } as const;

/** `.env`: the example with a secret of its own. It is for this machine alone: unread by others, ignored by git. */
export async function writeEnvironment(
  folder: string,
  rendered: readonly RenderedFile[],
): Promise<void> {
  const example = rendered.find(({ path }) => path === '.env.example')?.content ?? '';
  const secret = `AUTH_SECRET_KEY=${randomBytes(48).toString('hex')}`;
  const content = example.replace(/^AUTH_SECRET_KEY=.*$/m, secret);
  if (!content.includes(secret)) throw new InternalError('.env.example has no line for the secret');
  // A secret that is there already may have signed tokens.
  await writeFile(join(folder, '.env'), content, { mode: 0o600, flag: 'wx' }).catch(unlessThere);
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/** What was there before a run. */
interface Before {
  readonly folder: string;
  /** The highest folder that the run will make; absent when the project's own is there already. */
  readonly firstNew?: string;
  readonly entries: ReadonlySet<string>;
}

export async function remember(folder: string): Promise<Before> {
  if (!existsSync(folder)) return { folder, firstNew: firstMissing(folder), entries: new Set() };
  return { folder, entries: new Set(await readdir(folder, { recursive: true })) };
}

function firstMissing(folder: string): string {
  const parent = dirname(folder);
  return existsSync(parent) ? folder : firstMissing(parent);
}

/** What this run made goes, what was there stays: `scaffold new` replaces nothing. */
export async function takeBack({ folder, firstNew, entries }: Before): Promise<void> {
  if (firstNew) return remove(firstNew);
  const now = await readdir(folder, { recursive: true });
  const wasThere = (path: string) => path === '.' || entries.has(path);
  const made = now.filter((path) => !wasThere(path) && wasThere(dirname(path)));
  for (const path of made) await remove(join(folder, path));
}

const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 });
