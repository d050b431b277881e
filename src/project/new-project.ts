import { listFirst, inTicks } from '../words.ts';
import { randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, constants, existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join, basename, dirname } from 'node:path';
import { exitCode, UserError } from '../errors.ts';
import type { App } from '../model/app.ts';
import type { RenderedFile } from '../render/rendered-file.ts';
import { openDisk } from './disk.ts';
import { writeDurably } from './journal/durable.ts';
import {
  isSafePath,
  basePath,
  trackedFiles,
  recordPath,
  snapshotPath,
  isSchemaFile,
} from './paths.ts';
import { recordFile, printRecord, printSnapshot, recordRun } from './record.ts';

interface TargetFolder {
  /** Absolute. */
  readonly folder: string;
  /** Whether the folder may have other files, as long as none of the new ones exists. */
  readonly force: boolean;
}

/** Plans a new project. Throws a `UserError` if anything is in the way. */
export function planNew(rendered: readonly RenderedFile[], target: TargetFolder) {
  refuseClashes(rendered.map(({ path }) => path));
  refuseFolderInUse(target);
  refuseFilesInTheWay(rendered, target);
  return rendered.map(({ path, model }) => ({ path, action: 'create', ...(model && { model }) }));
}

/** Throws if two paths are one file on disks that ignore case, or if a path is not allowed. */
function refuseClashes(paths: readonly string[]): void {
  const unsafe = paths.filter((path) => !isSafePath(path));
  const seen = new Set<string>();
  const twice = paths.filter((path) => {
    const folded = path.toLowerCase();
    return seen.has(folded) || !seen.add(folded);
  });
  if (unsafe.length + twice.length === 0) return;
  throw new UserError(
    'SCF007',
    `The schema leads to file names that are not allowed: ${listFirst(inTicks([...unsafe, ...twice]), 10)}.`,
    {
      exit: exitCode.decision,
      help: 'Give the model another name, or another `plural`.',
    },
  );
}

/** Why no project can be made in a folder; undefined if it is missing or empty. */
export function findFolderFlaw({ folder, force }: TargetFolder): string | undefined {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isDirectory()) return `${folder} is not a folder.`;
  return force || readdirSync(folder).length === 0
    ? undefined
    : `The folder ${folder} is not empty.`;
}

function refuseFolderInUse(target: TargetFolder): void {
  const flaw = findFolderFlaw(target);
  if (flaw === undefined) return;
  throw new UserError('SCF006', flaw, {
    exit: exitCode.decision,
    help: 'Choose another folder. `--force` writes into a folder with other files in it, and replaces none of them.',
  });
}

/** Throws if there is anything at the path of a new file, or a file where a folder has to be. */
function refuseFilesInTheWay(rendered: readonly RenderedFile[], { folder }: TargetFolder): void {
  const disk = openDisk(folder);
  const taken = new Set(
    rendered.flatMap(({ path }) => {
      const found = disk(path);
      if (!found) return [];
      return found.kind === 'text' ? [path] : [found.path];
    }),
  );
  if (taken.size === 0) return;
  throw new UserError(
    'SCF006',
    `These files already exist in ${folder}: ${listFirst(inTicks([...taken]), 10)}.`,
    {
      exit: exitCode.decision,
      help: 'Move them away, or choose another folder: `scaffold new` replaces nothing.',
    },
  );
}

type StagedFile = Pick<RenderedFile, 'path' | 'content' | 'mode'>;

/**
 * Writes a planned project into a temporary folder first. When that is complete, a new folder appears in one step. In
 * an existing folder, files are moved one by one and replace nothing. If it fails, the caller removes what was made.
 */
export async function applyNew(
  rendered: readonly RenderedFile[],
  { app, folder }: { readonly app: App; readonly folder: string },
): Promise<void> {
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  // Next to the folder, so that it can be renamed. In an existing folder, since its parent may not be writable.
  const stage = join(existsSync(folder) ? folder : parent, `.${basename(folder)}-${randomUUID()}`);
  try {
    const files = [...rendered, ...recordFiles(rendered, app)];
    await inBatches(files, (file) => stageFile(stage, file));
    if (!existsSync(folder)) return await rename(stage, folder);
    for (const { path } of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await copyFile(join(stage, path), join(folder, path), constants.COPYFILE_EXCL);
    }
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** The record, and the base of every file, with which later runs compare and merge. */
function recordFiles(rendered: readonly RenderedFile[], app: App): readonly StagedFile[] {
  const tracked = trackedFiles(rendered);
  const schemaText = rendered.find(({ path }) => isSchemaFile(path))?.content;
  const files = Object.fromEntries(tracked.map((file) => [file.path, recordFile(file)]));
  const texts = [
    // Migrations are never merged, so they have no base.
    ...tracked
      .filter(({ policy }) => policy !== 'appended')
      .map(({ path, content }) => ({ path: basePath(path), content })),
    { path: snapshotPath, content: printSnapshot(app) },
    { path: recordPath, content: printRecord({ ...recordRun(app, schemaText), files }) },
  ];
  return texts.map((it) => ({ ...it, mode: '644' }));
}

async function stageFile(stage: string, { path, content, mode }: StagedFile): Promise<void> {
  const target = join(stage, path);
  await mkdir(dirname(target), { recursive: true });
  await writeDurably(target, content, Number.parseInt(mode, 8));
}

/** Runs `work` for a limited number of items at a time, to save file handles. */
async function inBatches<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const size = 64;
  for (let start = 0; start < items.length; start += size) {
    await Promise.all(items.slice(start, start + size).map(work));
  }
}
