import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { z } from 'zod';
import { basePath, hashText, recordPath } from '../../../src/project/paths.ts';
import { readRecord } from '../../../src/project/record.ts';
import { root } from '../../support/root.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { diskTree, edit } from './edit.ts';
import { operations } from './operations.ts';

/** A project as an earlier version made it, byte for byte; see `fixtures/upgrades/README.md`. */
export interface OlderProject {
  readonly files: ReadonlyMap<string, string>;
  /** What its owner did to it, one idea after the other. */
  readonly changes: readonly OwnersChange[];
}

type OwnersChange = z.infer<typeof changeShape>;

const changeShape = z.strictObject({ change: z.string(), edits: operations });

export function readOlderProject(version: string): OlderProject {
  const home = join(root, 'fixtures/upgrades', version);
  const packed = gunzipSync(readFileSync(join(home, 'blog.json.gz'))).toString();
  const texts = new Map(Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(packed))));
  return {
    files: new Map([...texts, ...basesOf(texts)]),
    changes: z.array(changeShape).parse(parse(readFileSync(join(home, 'changes.yaml'), 'utf8'))),
  };
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

/** On the disk, edited. */
export async function makeOlderProject({ files, changes }: OlderProject): Promise<string> {
  const folder = join(await scratchFolder('older'), 'project');
  const tree = diskTree(folder);
  for (const [path, text] of files) tree.write(path, text);
  for (const { edits } of changes) for (const it of edits) await edit(tree, it);
  return folder;
}
