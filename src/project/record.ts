import { z } from 'zod';
import { exitCode, UserError } from '../errors.ts';
import type { App } from '../model/app.ts';
import { snapshotApp } from '../model/snapshot.ts';
import type { Kind, Mode, Policy, RenderedFile } from '../render/rendered-file.ts';
import { version } from '../version.ts';
import { hashText, trackedFiles } from './base.ts';
import { isSafePath } from './safe-path.ts';

/** What `.scaffold/lock.json` remembers of the last run. */
export interface Record {
  readonly lockVersion: 1;
  readonly generator: { readonly name: string; readonly version: string };
  /** Hash of all templates. */
  readonly templates: string;
  readonly options: { readonly database: 'sqlite' | 'postgres' };
  /** Hash of `.scaffold/schema.json`. */
  readonly schema: string;
  readonly files: { readonly [path: string]: RecordedFile };
}

export interface RecordedFile {
  readonly id: string;
  /** Hash of what was emitted. */
  readonly base: string;
  readonly mode: Mode;
  readonly kind: Kind;
  readonly policy: Policy;
  readonly model?: string | undefined;
  /** Absent while the file is in step with the schema. */
  readonly state?: 'conflict' | 'deleted' | 'ejected' | undefined;
}

export const recordPath = '.scaffold/lock.json';

export function makeRecord(app: App, rendered: readonly RenderedFile[], templates: string): Record {
  const files = trackedFiles(rendered).map(({ path, id, content, mode, kind, policy, model }) => {
    return [
      path,
      { id, base: hashText(content), mode, kind, policy, ...(model && { model }) },
    ] as const;
  });
  return {
    lockVersion: 1,
    generator: { name: 'scaffold-server', version },
    templates,
    options: { database: app.database },
    schema: hashText(printSnapshot(app)),
    files: Object.fromEntries(files.toSorted(([left], [right]) => (left < right ? -1 : 1))),
  };
}

/** The text of `.scaffold/schema.json`. */
export function printSnapshot(app: App): string {
  return `${JSON.stringify(snapshotApp(app), null, 2)}\n`;
}

/** One file a line, so that two branches seldom touch the same one. */
export function printRecord({ files, ...facts }: Record): string {
  const lines = Object.entries(files).map(
    ([path, file]) => `    ${JSON.stringify(path)}: ${JSON.stringify(file)}`,
  );
  const head = JSON.stringify(facts, null, 2).replace(/\n\}$/, '');
  return `${head},\n  "files": {\n${lines.join(',\n')}\n  }\n}\n`;
}

/** The record is text in a repository that anybody may have edited: it is believed only in this shape. */
export function readRecord(text: string): Record {
  const result = shape.safeParse(parseJson(text));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UserError(
    'SCF501',
    `\`${recordPath}\` is damaged at ${issue?.path.join('.') || 'the top'}.`,
    {
      exit: exitCode.environment,
      help: `Take the file back from version control: \`git checkout -- ${recordPath}\`.`,
    },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const hash = z.string().regex(/^sha256:[0-9a-f]{64}$/);

const recordedFile = z.strictObject({
  id: z.string().min(1),
  base: hash,
  mode: z.enum(['644', '755']),
  kind: z.enum(['ts', 'json', 'env', 'yaml', 'markdown', 'text', 'sql']),
  policy: z.enum(['generated', 'merged', 'appended', 'yours']),
  model: z.string().optional(),
  state: z.enum(['conflict', 'deleted', 'ejected']).optional(),
});

const shape = z.strictObject({
  lockVersion: z.literal(1),
  generator: z.strictObject({ name: z.string(), version: z.string() }),
  templates: hash,
  options: z.strictObject({ database: z.enum(['sqlite', 'postgres']) }),
  schema: hash,
  files: z.record(z.string().refine(isSafePath), recordedFile),
});
