import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { basePath, hashText, recordPath } from '../../../src/project/paths.ts';
import { readRecord } from '../../../src/project/record.ts';
import { root } from '../../support/root.ts';
import { must } from '../../support/run.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { diskTree } from './edit.ts';

const home = join(root, 'fixtures/upgrades');

export const olderVersions: readonly string[] = readdirSync(home, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted();

/** A project as an earlier version made it, byte for byte, by its paths; see `fixtures/upgrades/README.md`. */
export type OlderProject = ReadonlyMap<string, string>;

export function readOlderProject(version: string): OlderProject {
  const packed = gunzipSync(readFileSync(join(home, version, 'blog.json.gz'))).toString();
  const texts = new Map(Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(packed))));
  return new Map([...texts, ...basesOf(texts)]);
}

/** They are the texts themselves, as the record testifies. */
function basesOf(texts: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  const { files } = readRecord(texts.get(recordPath) ?? '');
  return Object.entries(files).flatMap(([path, { base, policy }]) => {
    const text = texts.get(path) ?? '';
    if (hashText(text) !== base) throw new Error(`${path} is not what was made.`);
    return policy === 'appended' ? [] : [[basePath(path), text] as const];
  });
}

/** On the disk, edited as `owner.patch` says. */
export async function makeOlderProject(version: string): Promise<string> {
  const folder = join(await scratchFolder('older'), 'project');
  mkdirSync(folder);
  const tree = diskTree(folder);
  for (const [path, text] of readOlderProject(version)) tree.write(path, text);
  // As if there were no repository around the folder: Git would look for the files at its root.
  const env = { GIT_CEILING_DIRECTORIES: root };
  await must('git', ['apply', join(home, version, 'owner.patch')], { cwd: folder, env });
  return folder;
}
