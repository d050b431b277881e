import { linkSync, mkdirSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyNew } from '../../../src/project/new-project.ts';
import { recordPath } from '../../../src/project/paths.ts';
import type { RenderedFile } from '../../../src/render/rendered-file.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { edit, type Tree } from './edit.ts';
import type { Operation } from './operations.ts';
import { freshProject } from './outcome.ts';

/** A project as `scaffold new` made it, or an earlier version of it, for one case to do with as it likes. */
export async function makeProject(schema: string, older: readonly Operation[]): Promise<string> {
  const key = JSON.stringify([schema, older]);
  const made = pristine.get(key) ?? makeOnce(schema, older);
  pristine.set(key, made);
  const folder = join(await scratchFolder('regenerate'), 'project');
  linkTree(await made, folder);
  return folder;
}

/** The same files under other names, which costs less than copies: to write is to put another file in the place. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else linkSync(source, target);
  }
}

const pristine = new Map<string, Promise<string>>();

async function makeOnce(schemaText: string, older: readonly Operation[]): Promise<string> {
  const folder = join(await scratchFolder('regenerate'), 'project');
  const { app, files } = freshProject(schemaText);
  const rendered = new Map(files);
  for (const operation of older) await edit(renderedTree(rendered), operation);
  await applyNew([...rendered.values()], { app, folder });
  if (older.length > 0) await forgetTemplates(folder);
  return folder;
}

function renderedTree(files: Map<string, RenderedFile>): Tree {
  return {
    paths: () => [...files.keys()],
    read: (path) => files.get(path)?.content ?? '',
    write: (path, content) => {
      const facts = { id: path, path, kind: 'ts', policy: 'yours', mode: '644' } as const;
      files.set(path, { ...facts, ...files.get(path), content });
    },
    remove: (path) => void files.delete(path),
  };
}

/** The record of a project that other templates made. */
async function forgetTemplates(folder: string): Promise<void> {
  const file = join(folder, recordPath);
  const text = await readFile(file, 'utf8');
  const other = `"templates": "sha256:${'0'.repeat(64)}"`;
  await writeFile(file, text.replace(/"templates": "[^"]*"/, other));
}
