import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { format } from 'prettier';
import { moveCode } from './move-code.ts';
import type { Operation } from './operations.ts';

/** Files under their paths, on the disk or not. */
export interface Tree {
  readonly paths: () => readonly string[];
  readonly read: (path: string) => string;
  readonly write: (path: string, text: string) => void;
  readonly remove: (path: string) => void;
}

/** Does what a person, or an earlier version of the generator, did. */
export async function edit(tree: Tree, operation: Operation): Promise<void> {
  const { replace, append, prepend, write, delete: gone, move, reformat } = operation;
  if (replace) change(tree, replace.in, (text) => replaced(text, replace));
  if (append) change(tree, append.to, (text) => `${text}${append.text}`);
  if (prepend) change(tree, prepend.to, (text) => `${prepend.text}${text}`);
  if (write) tree.write(write.file, write.text);
  if (gone !== undefined) tree.remove(gone);
  if (move) {
    tree.write(move.to, tree.read(move.from));
    tree.remove(move.from);
  }
  if (operation.move_code) moveCode(tree, operation.move_code);
  if (reformat) {
    const files = tree.paths().filter((it) => it.startsWith(reformat.below) && it.endsWith('.ts'));
    for (const path of files)
      tree.write(path, await format(tree.read(path), { parser: 'typescript', ...reformat.with }));
  }
  const { line_ends: ends, byte_order_mark: marked, no_final_line_end: open } = operation;
  if (ends) change(tree, ends.in, (text) => withLineEnds(text, ends.as));
  if (marked !== undefined) change(tree, marked, (text) => `\uFEFF${text}`);
  if (open !== undefined) change(tree, open, (text) => text.replace(/\n$/, ''));
}

function replaced(text: string, { find, by }: { find: string; by: string }): string {
  return text.replaceAll(find, () => by);
}

function change(tree: Tree, path: string, by: (text: string) => string): void {
  const text = tree.read(path);
  const changed = by(text);
  if (changed === text) throw new Error(`Nothing changes in ${path}.`);
  tree.write(path, changed);
}

function withLineEnds(text: string, as: 'windows' | 'mixed'): string {
  let line = 0;
  return text.replace(/\n/g, () => (as === 'windows' || line++ % 3 === 0 ? '\r\n' : '\n'));
}

/** The files of a project; `.scaffold/` is the tool's own. */
export function diskTree(folder: string): Tree {
  const at = (path: string) => join(folder, path);
  return {
    paths: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .toSorted(),
    read: (path) => readFileSync(at(path), 'utf8'),
    write: (path, text) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      // Never into the file: other projects have it too.
      rmSync(at(path), { force: true });
      writeFileSync(at(path), text);
    },
    remove: (path) => rmSync(at(path), { recursive: true }),
  };
}

/** What only a disk has. */
export function editDisk(root: string, { chmod, link, folder, move }: Operation): void {
  if (chmod) {
    const file = join(root, chmod.file);
    const text = readFileSync(file);
    rmSync(file);
    writeFileSync(file, text);
    chmodSync(file, Number.parseInt(chmod.mode, 8));
  }
  if (link) {
    renameSync(join(root, link.file), join(root, link.to));
    symlinkSync(join('.', link.to.split('/').at(-1) ?? ''), join(root, link.file));
  }
  if (folder !== undefined) {
    rmSync(join(root, folder), { force: true });
    mkdirSync(join(root, folder));
  }
  if (move) removeEmpty(dirname(join(root, move.from)));
}

function removeEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}
