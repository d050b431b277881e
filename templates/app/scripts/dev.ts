import { type ChildProcess, spawn } from 'node:child_process';
import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { whenStopped } from './run-program.ts';

/**
 * Restarts the server whenever something in `src` changes. Node's `--watch` loses files that are replaced, as git and
 * many editors do, so this watches folders instead.
 */
const folder = 'src';
/** Several files often change together. */
const settleMilliseconds = 100;

let server: ChildProcess | undefined;
/** What to do after the server has ended. */
let next: 'wait' | 'start' | 'exit' = 'wait';
let watchers: readonly FSWatcher[] = [];
let timer: NodeJS.Timeout | undefined;

watchFolders();
start();
whenStopped(() => {
  next = 'exit';
  if (server === undefined) process.exit();
  server.kill();
});

function start(): void {
  next = 'wait';
  server = spawn(process.execPath, ['scripts/typescript.js', 'src/server.ts'], {
    stdio: 'inherit',
  });
  server.once('exit', (code) => {
    server = undefined;
    if (next === 'start') return start();
    // A server that ended normally was stopped, by its terminal for instance.
    if (next === 'exit' || !code) process.exit(code ?? 1);
    process.stderr.write('The server has ended. It starts again when a file changes.\n');
  });
}

/** Watches again after each change, since folders come and go. */
function watchFolders(): void {
  for (const watcher of watchers) watcher.close();
  const inside = readdirSync(folder, { recursive: true, withFileTypes: true });
  const folders = inside.filter((entry) => entry.isDirectory());
  watchers = [folder, ...folders.map(({ parentPath, name }) => join(parentPath, name))].map(
    (path) => watch(path, noteChange).on('error', noteChange),
  );
}

/** Editors keep drafts beside a file: `.app.ts.swp`, `app.ts~`. */
function noteChange(_event: unknown, name?: string | null): void {
  if (name?.startsWith('.') || name?.endsWith('~')) return;
  clearTimeout(timer);
  timer = setTimeout(restart, settleMilliseconds);
}

function restart(): void {
  try {
    watchFolders();
  } catch {
    // A folder is gone, and another one may appear.
    return noteChange('rename');
  }
  if (next === 'exit') return;
  if (server === undefined) return start();
  next = 'start';
  server.kill();
}
