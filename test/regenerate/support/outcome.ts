import { statSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from '../../../src/model/build.ts';
import { renderProject } from '../../../src/project/render-project.ts';
import type { RenderedFile } from '../../../src/render/rendered-file.ts';
import { parseSchema } from '../../../src/schema/parse.ts';
import { diskTree } from './edit.ts';

/** What is otherwise in a project than in a fresh one of the same schema. */
export interface Difference {
  /** Files that a fresh one has not, or has with another text. */
  readonly files: ReadonlyMap<string, string>;
  /** A line for each file that is missing, or whose mode is another: `missing src/posts/policy.ts`. */
  readonly notes: readonly string[];
}

export function differenceToFresh(folder: string, schemaText: string): Difference {
  const fresh = freshFiles(schemaText);
  const tree = diskTree(folder);
  const paths = tree.paths().filter(isTold);
  const texts = paths.map((path): [string, string] => [path, withoutHashes(path, tree.read(path))]);
  return {
    files: new Map(texts.filter(([path, text]) => fresh.get(path)?.content !== text)),
    notes: [
      ...[...fresh.keys()].filter((path) => isTold(path) && !paths.includes(path)).map(missing),
      ...paths.flatMap((path) => {
        const is = (statSync(join(folder, path)).mode & 0o777).toString(8);
        return is === (fresh.get(path)?.mode ?? '644') ? [] : [`mode ${is} ${path}`];
      }),
    ],
  };
}

export function freshFiles(schemaText: string): ReadonlyMap<string, RenderedFile> {
  const fresh = freshOf.get(schemaText) ?? renderFresh(schemaText);
  freshOf.set(schemaText, fresh);
  return fresh;
}

/** Many cases end with the same schema. */
const freshOf = new Map<string, ReadonlyMap<string, RenderedFile>>();

function renderFresh(schemaText: string): ReadonlyMap<string, RenderedFile> {
  const { schema } = parseSchema(schemaText);
  if (!schema) throw new Error('The schema is refused.');
  const files = renderProject(buildApp(schema), []);
  return new Map(files.map((file) => [file.path, file]));
}

/** The history, the record and the bases are looked at elsewhere; open conflicts are what a user meets. */
function isTold(path: string): boolean {
  return (
    path === '.scaffold/conflicts.json' ||
    !(path.startsWith('.scaffold/') || path.startsWith('migrations/') || path === 'schema.yaml')
  );
}

/** Of a text that a template makes, the hash tells nobody anything. */
function withoutHashes(path: string, text: string): string {
  return path.startsWith('.scaffold/') ? text.replace(/sha256:[0-9a-f]{64}/g, 'sha256:…') : text;
}

function missing(path: string): string {
  return `missing ${path}`;
}
