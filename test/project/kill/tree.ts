import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Everything below a folder: a line a file or folder, with its mode; files with their bytes. */
export type Tree = ReadonlyMap<string, string>;

export function readTree(root: string): Tree {
  const tree = new Map<string, string>();
  const visit = (folder: string): void => {
    for (const name of readdirSync(join(root, folder))) {
      const path = join(folder, name);
      const { mode } = lstatSync(join(root, path));
      const facts = (mode & 0o7777).toString(8);
      tree.set(path, `${facts} ${contentOf(join(root, path))}`);
      if (lstatSync(join(root, path)).isDirectory()) visit(path);
    }
  };
  visit('');
  return tree;
}

function contentOf(path: string): string {
  const found = lstatSync(path);
  if (found.isDirectory()) return 'folder';
  return found.isSymbolicLink() ? `link ${readlinkSync(path)}` : readFileSync(path, 'latin1');
}

/** Without what a run keeps for itself. */
export function withoutUndo(tree: Tree): Tree {
  return new Map([...tree].filter(([path]) => !/^\.scaffold\/(undo|run)/.test(path)));
}

/** What differs, a line each; contents are cut. */
export function compareTrees(expected: Tree, found: Tree): readonly string[] {
  const paths = [...new Set([...expected.keys(), ...found.keys()])].toSorted();
  return paths.flatMap((path) => {
    const [wanted, there] = [expected.get(path), found.get(path)];
    if (wanted === there) return [];
    return [`${path}: ${shown(wanted)} became ${shown(there)}`];
  });
}

function shown(content: string | undefined): string {
  return content === undefined ? 'nothing' : JSON.stringify(content.slice(0, 60));
}

export function writeText(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
