import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { environment, run } from './run.ts';
import { scratchFolder } from './scratch.ts';
import { expectWorld } from './tier.ts';

/** A fenced block of a page, and what its reader is to do with it. */
export interface Block {
  readonly language: string;
  /** The file that the block shows, after the language. */
  readonly file: string;
  readonly text: string;
  readonly line: number;
  /** What the comment before it says that it needs: `docker`. */
  readonly needs?: string;
}

export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(/(?:<!-- needs: (.*?) -->\n+)?^```(\w*) ?(.*)\n([^]*?)^```$/gm)].map(
    ({ 1: needs, 2: language = '', 3: file = '', 4: text = '', index }) => ({
      language,
      file,
      text,
      line: page.slice(0, index).split('\n').length,
      ...(needs !== undefined && { needs }),
    }),
  );
}

interface Reader {
  /** Where they stand at first. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Does what a page says, block after block, as its reader would: writes the files that it shows, makes the changes of
 * its differences, runs its commands in one shell, and compares what they print with the JSON below them. A command
 * that never ends (`npm run dev`) is left running. What needs something from outside is left out.
 */
export async function walkThrough(page: string, { folder, env = {} }: Reader): Promise<void> {
  expectWorld('follows a page');
  const state = await scratchFolder('reader');
  const port = await freePort();
  const surroundings = environment({ ...env, HOST: '127.0.0.1', PORT: String(port) });
  await writeFile(join(state, 'cwd'), folder);
  await writeFile(join(state, 'env'), '');
  const cwd = async () => (await readFile(join(state, 'cwd'), 'utf8')).trim();
  let server: Running | undefined;
  let printed = '';
  try {
    for (const { language, file, text, line, needs } of blocksOf(page)) {
      if (needs !== undefined) continue;
      if (language === 'diff') await change(join(await cwd(), file), text);
      else if (file !== '') await writeFile(join(await cwd(), file), text);
      else if (language === 'json') expectPrinted(printed, text, line);
      else if (language === 'sh') {
        const commands = text.replaceAll('localhost:3000', `localhost:${port}`);
        const served = /^(.*[ \t])?npm (run dev|start)\b.*$/m.exec(commands);
        const before = served ? commands.replace(served[0], '') : commands;
        printed = await execute(before, { state, surroundings, line });
        if (served) {
          await server?.stop();
          server = await serve(served[0], { state, surroundings, cwd: await cwd(), port });
        }
      } else continue;
      await server?.settle();
    }
  } finally {
    await server?.stop();
  }
}

/** Replaces the lines of a difference; `…` stands for lines between that stay. */
async function change(file: string, difference: string): Promise<void> {
  let text = await readFile(file, 'utf8');
  for (const part of difference.split(/^ ?…\n/m)) {
    const lines = part.split('\n').slice(0, -1);
    const side = (sign: string) =>
      lines.flatMap((it) => (it.startsWith(sign) ? [] : [`${it.slice(1)}\n`])).join('');
    if (!text.includes(side('+'))) throw new Error(`${file} has not:\n${side('+')}`);
    text = text.replace(side('+'), () => side('-'));
  }
  await writeFile(file, text);
}

interface Shell {
  readonly state: string;
  readonly surroundings: Readonly<Record<string, string>>;
  readonly line: number;
}

/** In a shell that knows where the last one stood, and its variables. */
async function execute(commands: string, { state, surroundings, line }: Shell): Promise<string> {
  const script = [
    `. ${state}/env; cd "$(cat ${state}/cwd)"; set -ea -o pipefail`,
    commands.replaceAll(/^(.*?) +# status (\d+).*$/gm, '$1 && exit 97 || test $? -eq $2'),
    `pwd > ${state}/cwd; export -p > ${state}/env`,
  ].join('\n');
  const { code, stdout, stderr } = await run('bash', ['-c', script], {
    cwd: state,
    env: surroundings,
  });
  if (code === 0) return stdout;
  throw new Error(
    `The commands of line ${line} end with ${code}:\n${commands}\n${stdout}${stderr}`,
  );
}

function bare(text: string): string {
  return text.replaceAll(/\s/g, '');
}

/** Spaces make no difference; `…` stands for anything. */
function expectPrinted(printed: string, expected: string, line: number): void {
  const pattern = bare(expected)
    .split('…')
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
    .join('.*?');
  if (new RegExp(`${pattern}$`).test(bare(printed))) return;
  throw new Error(`Line ${line} shows\n${expected}\nand this was printed:\n${printed}`);
}

/** A page that fails says so within two minutes. */
const longestStart = 100_000;

interface Running {
  /**
   * Returns when the server answers and has had nothing to say for a while; or when it waits for a file that can be
   * run, as after a conflict that a page shows: a call that needs the server fails by itself.
   */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

interface Started extends Omit<Shell, 'line'> {
  readonly cwd: string;
  readonly port: number;
}

async function serve(
  command: string,
  { state, surroundings, cwd, port }: Started,
): Promise<Running> {
  const child = spawn('bash', ['-c', `. ${state}/env; ${command}`], {
    cwd,
    env: surroundings,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let at = performance.now();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += String(chunk);
      at = performance.now();
    });
  }
  const running: Running = {
    async settle() {
      at = performance.now();
      const deadline = at + longestStart;
      let awaited = 'silence';
      while (performance.now() < deadline && child.exitCode === null) {
        await sleep(100);
        if (performance.now() - at <= 1500) continue;
        if (said.endsWith('It starts again when a file changes.\n')) return;
        awaited = await whatIsMissing(port);
        if (awaited === '') return;
      }
      const end = child.exitCode === null ? `did not come to ${awaited}` : 'ended';
      throw new Error(`\`${command}\` in ${cwd} ${end}. It said:\n${said}`);
    },
    stop: () => endGroup(child),
  };
  return running;
}

/** Empty when the server is ready. */
async function whatIsMissing(port: number): Promise<string> {
  const path = `127.0.0.1:${port}/health/ready`;
  try {
    const response = await fetch(`http://${path}`, { signal: AbortSignal.timeout(5_000) });
    return response.ok ? '' : `a 200 at ${path}: ${response.status} ${await response.text()}`;
  } catch (error) {
    return `an answer at ${path}: ${String(error)}`;
  }
}

/** With all that it has started: Ctrl-C reaches a whole group. What does not end by that is killed. */
async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const { pid } = child;
  const ended = once(child, 'exit').then(() => true);
  process.kill(-pid, 'SIGINT');
  if (await Promise.race([ended, sleep(30_000, false, { ref: false })])) return;
  process.kill(-pid, 'SIGKILL');
  await ended;
  throw new Error('`npm run dev` does not end by SIGINT.');
}
