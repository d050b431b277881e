import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runnerFile } from '../../../runner/build.ts';
import { root } from '../../support/root.ts';
import { environment } from '../../support/run.ts';
import type { Project } from './project.ts';

/** `node migrations/migrate.js`, a process of its own. */
export interface Command {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly lines: readonly string[];
  /** Waits until it prints such a line. */
  line(pattern: RegExp): Promise<void>;
  readonly ended: Promise<number | null>;
}

const program = runnerFile('postgres', 'migrate.js');

/** Puts the emitted program beside the project's migrations; `plant` puts a mistake into it. */
export async function withCommands(
  { folder, url }: Project,
  plant?: { readonly text: string; readonly mistake: string },
): Promise<(env?: Readonly<Record<string, string>>) => Command> {
  const text = await readFile(program, 'utf8');
  if (plant !== undefined && !text.includes(plant.text)) throw new Error(`no ${plant.text}`);
  const planted = plant === undefined ? text : text.replace(plant.text, plant.mistake);
  await writeFile(join(folder, 'migrations/migrate.js'), planted);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'killed.mjs'), killed);
  return (env) => start(folder, { DATABASE_URL: url, ...env });
}

function start(folder: string, env: Readonly<Record<string, string>>): Command {
  const child = spawn(process.execPath, ['--import', './killed.mjs', 'migrations/migrate.js'], {
    cwd: folder,
    env: environment({ NODE_ENV: 'production', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const listeners = new Set<(line: string) => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      lines.push(line);
      for (const listen of listeners) listen(line);
    });
  }
  return {
    child,
    lines,
    line: (pattern) =>
      new Promise((found, fail) => {
        const listen = (line: string) => pattern.test(line) && found();
        listeners.add(listen);
        for (const line of lines) listen(line);
        child.once('close', () => fail(new Error(`no ${pattern} in:\n${lines.join('\n')}`)));
      }),
    ended: once(child, 'close').then(() => child.exitCode),
  };
}

/** Kills the process once it has printed what `KILLED_IN` contains and then sent PostgreSQL three queries. */
const killed = `
import pg from 'pg';
const { query } = pg.Client.prototype;
const { write } = process.stdout;
let left = Infinity;
process.stdout.write = (text, ...more) => {
  if (text.includes(process.env.KILLED_IN)) left = 3;
  return write.call(process.stdout, text, ...more);
};
pg.Client.prototype.query = function (...given) {
  const answer = query.apply(this, given);
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  return answer;
};
`;
