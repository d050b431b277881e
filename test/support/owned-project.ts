import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { commandLine } from '../cli/in-process.ts';
import { install } from './install.ts';
import { root } from './root.ts';
import { must, type Run } from './run.ts';
import { scratchFolder } from './scratch.ts';

/** A project as its owner has it before him: a folder, an editor, a shell. */
export interface OwnedProject {
  readonly folder: string;
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  /** Puts texts in the place of others, which have to be there. */
  edit(
    path: string,
    ...edits: readonly (readonly [before: string, after: string])[]
  ): Promise<void>;
  remove(path: string): Promise<void>;
  scaffold(...args: readonly string[]): Promise<Run>;
  /** Runs a script of its package.json or a program of its packages; it has to succeed. */
  npm(...args: readonly string[]): Promise<Run>;
  tool(name: string, ...args: readonly string[]): Promise<Run>;
}

const program = join(root, 'bin/scaffold.js');

/** `scaffold new`, and its dependencies. */
export async function ownedProject(...options: readonly string[]): Promise<OwnedProject> {
  const folder = join(await scratchFolder('owned'), 'blog');
  const flags = ['--yes', '--no-install', '--no-git'];
  await must(process.execPath, [program, 'new', folder, ...flags, ...options], { cwd: root });
  await install(folder);
  const at = (path: string) => join(folder, path);
  const read = (path: string) => readFile(at(path), 'utf8');
  const write = async (path: string, text: string) => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  };
  return {
    folder,
    read,
    write,
    async edit(path, ...edits) {
      let text = await read(path);
      for (const [before, after] of edits) {
        if (!text.includes(before)) throw new Error(`${path} has no ${before}:\n${text}`);
        text = text.replace(before, () => after);
      }
      await write(path, text);
    },
    remove: (path) => rm(at(path)),
    scaffold: (...args) => commandLine(args, { cwd: folder }),
    npm: (...args) => must('npm', ['run', '--silent', ...args], { cwd: folder }),
    tool: (name, ...args) => must(join('node_modules/.bin', name), args, { cwd: folder }),
  };
}
