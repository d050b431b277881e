import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { runNew } from '../../src/commands/new.ts';
import { recordingSession } from '../support/recording-session.ts';
import { scratchFolder } from '../support/scratch.ts';

export interface BlogProject {
  readonly folder: string;
  readonly read: (path: string) => string;
  /** Puts one text in the place of another that is there. */
  readonly edit: (path: string, before: string | RegExp, after: string) => Promise<void>;
  /** Every file with its text and its time. */
  readonly state: () => ReadonlyMap<string, string>;
}

let original: Promise<string> | undefined;

/** A project of the blog example as `scaffold new` makes it, for one test to do with as it likes. */
export async function blogProject(): Promise<BlogProject> {
  original ??= makeBlog();
  const folder = join(await scratchFolder('cli-blog'), 'blog');
  // `cp` would take ten times as long.
  cpSync(await original, folder, { recursive: true, preserveTimestamps: true });
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  return {
    folder,
    read,
    edit: async (path, before, after) => {
      const text = read(path);
      const edited = text.replace(before, after);
      if (edited === text) throw new Error(`${path} has no ${before}`);
      await writeFile(join(folder, path), edited);
    },
    state: () => stateOf(folder),
  };
}

async function makeBlog(): Promise<string> {
  const folder = join(await scratchFolder('cli-blog'), 'blog');
  const { session } = recordingSession(folder);
  const request = { dir: '.', example: 'blog', install: false, git: false, answered: true };
  await runNew(session, request);
  await readFile(join(folder, 'schema.yaml'));
  return folder;
}

function stateOf(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((file) => [
        file.slice(folder.length + 1),
        `${statSync(file).mtimeMs} ${readFileSync(file, 'utf8')}`,
      ]),
  );
}
