import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type BuiltApp, builtApp } from '../../support/built-app.ts';
import { environment } from '../../support/run.ts';
import type { Project } from './project.ts';

/** `npm run db:migrate` as a process of its own. */
export interface Command {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly lines: readonly string[];
  /** Until it prints such a line. */
  line(pattern: RegExp): Promise<void>;
  readonly ended: Promise<number | null>;
}

let built: Promise<BuiltApp> | undefined;

/** Puts the emitted, compiled commands beside the project's migrations; `plant` makes a mistake in a file of them. */
export async function withCommands(
  { folder, url }: Project,
  plant?: { readonly file: string; readonly text: string; readonly mistake: string },
): Promise<(env?: Readonly<Record<string, string>>) => Command> {
  built ??= builtApp('minimal', 'postgres');
  const app = await built;
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  await cp(join(app.folder, 'dist'), join(folder, 'dist'), { recursive: true });
  if (plant !== undefined) {
    const file = join(folder, 'dist', plant.file);
    const text = await readFile(file, 'utf8');
    if (!text.includes(plant.text)) throw new Error(`${plant.file} has no ${plant.text}`);
    await writeFile(file, text.replace(plant.text, plant.mistake));
  }
  await cp(join(app.folder, 'package.json'), join(folder, 'package.json'));
  await symlink(join(app.folder, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'killed.mjs'), killed);
  return (env) => start(folder, { ...app.env, DATABASE_URL: url, ...env });
}

function start(folder: string, env: Readonly<Record<string, string>>): Command {
  const child = spawn(process.execPath, ['--import', './killed.mjs', 'dist/cli.js', 'migrate'], {
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

/** Ends the process once it has said what `KILLED_IN` says, and has sent PostgreSQL three questions since. */
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
