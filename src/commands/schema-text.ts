import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { exitCode, UserError } from '../errors.ts';
import type { Session } from '../terminal/report.ts';

/** Where a schema comes from. */
export type Origin =
  | { readonly kind: 'example'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'stdin' };

export interface SchemaText {
  readonly text: string;
  /** What messages call it. */
  readonly file: string;
}

/** What each example is. */
export const examples = {
  blog: 'posts, comments and tags',
  shop: 'products, categories and orders',
  minimal: 'notes: one model to grow from',
};

export async function readSchemaText(session: Session, origin: Origin): Promise<SchemaText> {
  const { bytes, file } = await readBytes(session, origin);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), file };
  } catch {
    throw new UserError('SCF004', `\`${file}\` is not UTF-8 text.`, {
      exit: exitCode.schema,
      help: 'Save it as UTF-8, or name another file.',
    });
  }
}

async function readBytes({ command, folder, terminal }: Session, origin: Origin) {
  if (origin.kind === 'stdin') {
    const input = addAbortSignal(terminal.interruption, process.stdin);
    return { bytes: await buffer(input), file: 'stdin' };
  }
  if (origin.kind === 'example') {
    const example = new URL(`../../templates/examples/${origin.name}.yaml`, import.meta.url);
    return { bytes: await readFile(example), file: `${origin.name}.yaml` };
  }
  const { path } = origin;
  const help =
    command === 'new'
      ? `Name a schema file, or an example: \`--example ${Object.keys(examples).join('|')}\`.`
      : `Name the folder of a project: \`scaffold ${command} my-api\`.`;
  return { bytes: await readUserFile(resolve(folder, path), { path, help }), file: path };
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'may not be read',
};

interface Asked {
  /** As it was written. */
  readonly path: string;
  readonly help: string;
}

async function readUserFile(file: string, { path, help }: Asked): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new UserError(
      'SCF003',
      `\`${path}\` ${unreadable[code] ?? `cannot be read (${code})`}.`,
      { exit: exitCode.usage, help },
    );
  }
}
