import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../../../src/model/app.ts';
import { buildApp } from '../../../src/model/build.ts';
import { renderNew } from '../../../src/project/render-project.ts';
import type { RenderedFile } from '../../../src/render/rendered-file.ts';
import { parseSchema } from '../../../src/schema/parse.ts';
import { diskTree } from './edit.ts';

/** What is different in a project from a fresh one of the same schema. */
export interface Difference {
  /** Files that a fresh one does not have, or has with another text. */
  readonly files: ReadonlyMap<string, string>;
  /** A line for each file that is missing, or has another mode: `missing src/posts/policy.ts`. */
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

export const freshFiles = (schemaText: string) => freshProject(schemaText).files;

/** As `scaffold new` makes it. */
export function freshProject(schemaText: string): FreshProject {
  const fresh = freshOf.get(schemaText) ?? renderFresh(schemaText);
  freshOf.set(schemaText, fresh);
  return fresh;
}

interface FreshProject {
  readonly app: App;
  readonly files: ReadonlyMap<string, RenderedFile>;
}

/** Many cases begin or end with the same schema. */
const freshOf = new Map<string, FreshProject>();

function renderFresh(schemaText: string): FreshProject {
  const { schema, problems } = parseSchema(schemaText);
  if (!schema) throw new Error(problems.map(({ message }) => message).join('\n'));
  const app = buildApp(schema);
  return { app, files: new Map(renderNew(app, schemaText).map((file) => [file.path, file])) };
}

/** The history, the record and the bases are checked elsewhere; open conflicts are what a user meets. */
function isTold(path: string): boolean {
  return (
    path === '.scaffold/conflicts.json' ||
    !(path.startsWith('.scaffold/') || path.startsWith('migrations/') || path === 'schema.yaml')
  );
}

/** The hash of a text that a template makes tells nobody anything. */
function withoutHashes(path: string, text: string): string {
  return path.startsWith('.scaffold/') ? text.replace(/sha256:[0-9a-f]{64}/g, 'sha256:…') : text;
}

function missing(path: string): string {
  return `missing ${path}`;
}
