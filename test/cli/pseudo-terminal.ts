import { execa } from 'execa';
import { hanging } from '../support/run.ts';
import { surroundings, type Ran } from './scaffold.ts';

/** What is typed, once a text has been shown. */
interface Reaction {
  readonly when: string;
  readonly type: string;
}

export interface Typing {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly reactions?: readonly Reaction[];
}

/**
 * Runs a shell command on a real terminal, which `script` of util-linux brings: Debian and its relatives have it from
 * the start. A terminal has one stream, so all that is shown is in `stdout`.
 */
export async function onTerminal(command: string, typing: Typing): Promise<Ran> {
  const child = execa(
    'script',
    ['--quiet', '--return', '--flush', '--command', command, '/dev/null'],
    {
      cwd: typing.cwd,
      env: surroundings({ TERM: 'xterm-256color', SHELL: '/bin/bash', ...typing.env }),
      extendEnv: false,
      stdin: 'pipe',
      reject: false,
      timeout: hanging,
      killSignal: 'SIGKILL',
      stripFinalNewline: false,
    },
  );
  const waiting = [...(typing.reactions ?? [])];
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    const [next] = waiting;
    if (!next || !shown.includes(next.when)) return;
    waiting.shift();
    shown = '';
    child.stdin.write(next.type);
  });
  const { exitCode, stdout, stderr, timedOut } = await child;
  if (timedOut) throw new Error(`${command} hangs on a terminal\n${stdout}`);
  return { code: exitCode ?? -1, stdout, stderr };
}

export const controlC = '\u0003';
export const enter = '\r';
