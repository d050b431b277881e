import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Texts } from '../project/disk.ts';

export interface Mirror {
  /** The project's own folder in the copy. */
  readonly folder: string;
  /** Updates the copy to the project with these texts. */
  show(texts: Texts): Promise<void>;
  remove(): Promise<void>;
}

/**
 * A copy of what a compiler reads of a project, so that checking writes nothing into the project. The repository around
 * it is linked, for shared settings and packages. Trusted files are not checked, but others can import them.
 */
export async function mirrorProject(
  project: string,
  trusted: ReadonlySet<string>,
): Promise<Mirror> {
  const root = await mkdtemp(join(tmpdir(), 'scaffold-types-'));
  const top = locateRepository(project);
  const folder = join(root, relative(top, project));
  mkdirSync(folder, { recursive: true });
  linkNeighbours(project, top, root);
  copySources(project, folder, trusted);

  let shown: Texts = new Map();
  return {
    folder,
    async show(texts) {
      const gone = [...shown.keys()].filter((path) => !texts.has(path));
      for (const path of gone) await copyBack(join(project, path), join(folder, path));
      for (const [path, text] of texts) {
        if (shown.has(path) && shown.get(path) === text) continue;
        await put(join(folder, path), trusted.has(path) && text ? unlooked(text) : text);
      }
      shown = texts;
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** The nearest repository upwards, or the project itself. */
function locateRepository(project: string): string {
  for (let folder = project; ; folder = dirname(folder)) {
    if (entryNames(folder).includes('.git')) return folder;
    if (folder === dirname(folder)) return project;
  }
}

function linkNeighbours(project: string, top: string, root: string): void {
  for (let folder = project; folder !== top; folder = dirname(folder)) {
    const above = dirname(folder);
    for (const name of entryNames(above)) {
      const path = join(above, name);
      if (path !== folder && name !== '.git') linkFolder(path, join(root, relative(top, path)));
    }
  }
}

function copySources(from: string, to: string, trusted: ReadonlySet<string>): void {
  const { files, links } = listSources(from);
  for (const folder of new Set([...files, ...links].map(dirname))) {
    mkdirSync(join(to, folder), { recursive: true });
  }
  for (const path of files) {
    if (!trusted.has(path)) copyFileSync(join(from, path), join(to, path));
    else writeFileSync(join(to, path), unlooked(readFileSync(join(from, path), 'utf8')));
  }
  for (const path of links) linkFolder(join(from, path), join(to, path));
}

/** Tells TypeScript not to check a file. */
const unlooked = (text: string) => `// @ts-nocheck\n${text}`;

/** A junction on Windows, where other links need administrators. Files cannot be junctions and are left out there. */
function linkFolder(source: string, target: string): void {
  try {
    symlinkSync(source, target, 'junction');
  } catch (error) {
    if (process.platform !== 'win32') throw error;
  }
}

async function copyBack(source: string, target: string): Promise<void> {
  await rm(target, { force: true });
  await copyFile(source, target).catch(() => undefined); // it was not there
}

async function put(target: string, text: string | undefined): Promise<void> {
  if (text === undefined) return rm(target, { force: true });
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, text);
}

function entryNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What a compiler may read of a project. `links`: links, and folders of packages, whose content is not listed. */
export function listSources(root: string) {
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
