import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { exitCode, UserError } from '../errors.ts';
import type { RenderedFile } from '../render/rendered-file.ts';
import { isSafePath } from './paths.ts';

/** A file that a new project gets. */
export interface NewFile {
  readonly path: string;
  readonly action: 'create';
  readonly model?: string;
}

export interface Target {
  /** Absolute. */
  readonly folder: string;
  /** A folder with other files in it will do, as long as none of ours is there. */
  readonly force: boolean;
}

/** What a new project writes; throws a `UserError` when anything is in the way. */
export function planNew(rendered: readonly RenderedFile[], target: Target): readonly NewFile[] {
  refuseClashes(rendered.map(({ path }) => path));
  refuseFolderInUse(target);
  refuseFilesInTheWay(rendered, target);
  return rendered.map(({ path, model }) => ({ path, action: 'create', ...(model && { model }) }));
}

/** On some disks `Post.ts` and `post.ts` are one file. */
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
    `The schema leads to file names that are not allowed: ${listed([...unsafe, ...twice])}.`,
    {
      exit: exitCode.decision,
      help: 'Give the model another name, or another `plural`.',
    },
  );
}

/** Why no project can be made there; undefined where nothing is, or an empty folder. */
export function folderFlaw({ folder, force }: Target): string | undefined {
  const kind = kindOf(folder);
  if (kind === 'none') return undefined;
  if (kind !== 'folder') return `${folder} is not a folder.`;
  return force || readdirSync(folder).length === 0
    ? undefined
    : `The folder ${folder} is not empty.`;
}

function refuseFolderInUse(target: Target): void {
  const flaw = folderFlaw(target);
  if (flaw === undefined) return;
  throw new UserError('SCF006', flaw, {
    exit: exitCode.decision,
    help: 'Choose another folder. `--force` writes into a folder with other files in it, and replaces none of them.',
  });
}

/** Anything at the path of a file, and anything but a folder on the way to it. */
function refuseFilesInTheWay(rendered: readonly RenderedFile[], { folder }: Target): void {
  if (kindOf(folder) === 'none') return;
  const taken = new Set(
    rendered.flatMap(({ path }) => {
      const steps = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
      const inTheWay = steps.find(
        (step) => kindOf(join(folder, step)) !== (step === path ? 'none' : 'folder'),
      );
      return inTheWay === undefined || kindOf(join(folder, inTheWay)) === 'none' ? [] : [inTheWay];
    }),
  );
  if (taken.size === 0) return;
  throw new UserError('SCF006', `These files already exist in ${folder}: ${listed([...taken])}.`, {
    exit: exitCode.decision,
    help: 'Move them away, or choose another folder: `scaffold new` replaces nothing.',
  });
}

function kindOf(path: string): 'none' | 'folder' | 'other' {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return 'none';
  return found.isDirectory() ? 'folder' : 'other';
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 10).map((path) => `\`${path}\``);
  return paths.length > 10 ? `${shown.join(', ')} and ${paths.length - 10} more` : shown.join(', ');
}
