import { readdirSync } from 'node:fs';

export interface Sources {
  /** Files that a compiler may read, below the folder. */
  readonly files: readonly string[];
  /** Links, and folders of installed packages: not looked into. */
  readonly links: readonly string[];
}

/** Paths below a project's folder, with `/`. */
export function listSources(root: string): Sources {
  const files: string[] = [];
  const links: string[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(`${root}/${folder}`, { withFileTypes: true })) {
      const path = `${folder}${entry.name}`;
      if (entry.isSymbolicLink() || entry.name === 'node_modules') links.push(path);
      else if (entry.isDirectory() && !withoutSources.has(entry.name)) visit(`${path}/`);
      else if (entry.isFile() && readByCompilers.test(entry.name)) files.push(path);
    }
  };
  visit('');
  return { files, links };
}

const withoutSources = new Set(['.git', '.scaffold']);
const readByCompilers = /\.(?:[cm]?[jt]sx?|json)$/;
