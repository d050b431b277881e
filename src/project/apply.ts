import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { App } from '../model/app.ts';
import type { Mode, RenderedFile } from '../render/rendered-file.ts';
import { digestTemplates } from '../render/template-files.ts';
import { basePath, trackedFiles } from './base.ts';
import { recordPath, snapshotPath } from './paths.ts';
import { makeRecord, printRecord, printSnapshot } from './record.ts';

interface Project {
  readonly app: App;
  readonly folder: string;
}

interface StagedFile {
  readonly path: string;
  readonly content: string;
  readonly mode: Mode;
}

/**
 * Writes a planned project: everything goes to a folder beside it first, and is moved when it is complete and on the
 * disk. On failure, what this run made is removed again.
 */
export async function applyNew(
  rendered: readonly RenderedFile[],
  { app, folder }: Project,
): Promise<void> {
  const parent = dirname(folder);
  const firstMade = await mkdir(parent, { recursive: true });
  // Beside the folder, so that it can become the folder; inside one that is there, whose parent may not be ours.
  const stage = join(existsSync(folder) ? folder : parent, `.${basename(folder)}-${randomUUID()}`);
  try {
    const files = [...rendered, ...recordFiles(rendered, app)];
    await inBatches(files, (file) => stageFile(stage, file));
    await moveInto(folder, { stage, files });
  } catch (error) {
    if (firstMade) await rm(firstMade, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** The record, and the base of every file: what later runs compare and merge with. */
function recordFiles(rendered: readonly RenderedFile[], app: App): readonly StagedFile[] {
  const record = makeRecord(app, rendered, digestTemplates());
  return [
    ...trackedFiles(rendered)
      .filter(isMerged)
      .map(({ path, content }) => ({
        path: basePath(path),
        content,
        mode: '644' as const,
      })),
    { path: snapshotPath, content: printSnapshot(app), mode: '644' },
    { path: recordPath, content: printRecord(record), mode: '644' },
  ];
}

/** History is never merged. */
function isMerged({ policy }: RenderedFile): boolean {
  return policy !== 'appended';
}

async function stageFile(stage: string, { path, content, mode }: StagedFile): Promise<void> {
  const target = join(stage, path);
  await mkdir(dirname(target), { recursive: true });
  const handle = await open(target, 'wx', Number.parseInt(mode, 8));
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

interface Staged {
  readonly stage: string;
  readonly files: readonly StagedFile[];
}

/** A new folder appears in one step; into one that is there, file after file goes, and replaces nothing. */
async function moveInto(folder: string, { stage, files }: Staged): Promise<void> {
  if (!existsSync(folder)) return rename(stage, folder);
  const made: string[] = [];
  try {
    for (const { path } of files) {
      const target = join(folder, path);
      const firstMade = await mkdir(dirname(target), { recursive: true });
      if (firstMade) made.push(firstMade);
      await copyFile(join(stage, path), target, constants.COPYFILE_EXCL);
      made.push(target);
    }
  } catch (error) {
    for (const path of made.toReversed()) await rm(path, { recursive: true, force: true });
    throw error;
  }
}

/** As many at a time as keep the disk busy without using up the open files. */
async function inBatches<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const size = 64;
  for (let start = 0; start < items.length; start += size) {
    await Promise.all(items.slice(start, start + size).map(work));
  }
}
