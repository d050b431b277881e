import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isModuleFile } from './code-files.ts';
import { openDisk, readText } from './disk.ts';
import { makeMatcher } from './path-patterns.ts';

/** Moved files are not looked for in a larger project. */
const mostFiles = 10_000;

/** Code of a project, without hidden, ignored and installed files. Does not follow links. */
export function listCode(root: string): readonly string[] {
  const isIgnored = gitIgnores(root);
  const files: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    for (const entry of readFolder(join(root, folder))) {
      const path = `${folder}${entry.name}`;
      if (entry.name.startsWith('.') || isInstalledOrHistory(path) || isIgnored(path)) continue;
      if (entry.isDirectory()) folders.push(`${path}/`);
      else if (entry.isFile() && isModuleFile(path)) files.push(path);
    }
    if (files.length + folders.length > mostFiles) return [];
  }
  return files.toSorted();
}

const isInstalledOrHistory = (path: string) => /(?:^|\/)node_modules$|^migrations$/.test(path);

/** Empty for a folder that cannot be read. */
function readFolder(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Whether `.gitignore` excludes a path. The last line that matches decides. */
export function gitIgnores(root: string): (path: string) => boolean {
  const lines = (readText(openDisk(root), '.gitignore') ?? '').split(/\r?\n/);
  const rules = lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const pattern = line.replace(/^!/, '').replace(/\/$/, '');
      const glob = pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`;
      return { isIgnored: !line.startsWith('!'), isMeant: makeMatcher([glob, `${glob}/**`]) };
    });
  return (path) => rules.findLast(({ isMeant }) => isMeant(path))?.isIgnored ?? false;
}
