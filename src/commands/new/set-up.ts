import { commitAll } from '../../system/git.ts';
import { installDependencies, type PackageManager } from '../../system/package-manager.ts';
import type { Running } from '../../system/run.ts';
import { cancelled } from '../../terminal/ask.ts';
import { step } from '../../terminal/progress.ts';
import type { Diagnostic } from '../../terminal/report.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface SetUp {
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
