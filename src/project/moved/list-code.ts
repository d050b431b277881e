import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a project has more, nobody looks for what was moved. */
const most = 10_000;

/** TypeScript below a project's folder that is neither hidden nor ignored nor installed; no link is followed. */
export function listCode(root: string): readonly string[] {
  const ignored = ignoredNames(root);
  const files: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    for (const entry of entriesOf(join(root, folder))) {
      const path = `${folder}${entry.name}`;
      if (entry.name.startsWith('.') || ignored.has(entry.name) || ignored.has(path)) continue;
      if (entry.isDirectory()) folders.push(`${path}/`);
      else if (entry.isFile() && /(?<!\.d)\.ts$/.test(path)) files.push(path);
    }
    if (files.length + folders.length > most) return [];
  }
  return files.toSorted();
}

/** What may not be read is not looked at. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Migrations are history; of what git ignores, the plain names. */
function ignoredNames(root: string): ReadonlySet<string> {
  const lines = readText(join(root, '.gitignore')).split(/\r?\n/);
  const names = lines.map((line) => line.trim().replace(/^\/|\/$/g, ''));
  return new Set(['migrations/', 'node_modules', ...names]);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
