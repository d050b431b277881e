import { existsSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { exitCode, UserError, readErrorCode } from '../errors.ts';
import { schemaFiles } from '../project/paths.ts';
import type { Session } from '../terminal/report.ts';

/** The path of a schema file, or of a folder with one at its root. */
export function locateSchema({ folder, command }: Session, path: string): SchemaOrigin {
  if (path === '-') return { kind: 'stdin' };
  const target = resolve(folder, path);
  if (!statSync(target, { throwIfNoEntry: false })?.isDirectory()) return { kind: 'file', path };
  const [name, other] = schemaFiles.filter((file) => existsSync(join(target, file)));
  if (name && other && hasModels(join(target, other))) {
    throw new UserError('SCF003', `There are both \`${name}\` and \`${other}\` in \`${path}\`.`, {
      exit: exitCode.usage,
      help: `\`${name}\` would be read: remove the one you do not mean.`,
    });
  }
  if (name) return { kind: 'file', path: path === '.' ? name : join(path, name) };
  const message = `There is no \`schema.yaml\` and no \`schema.json\` in \`${path}\`.`;
  const help = `Name the folder of a project: \`npx scaffold ${command} my-api\`.`;
  throw new UserError('SCF003', message, { exit: exitCode.usage, help });
}

/** Other files are called `schema.json` too. */
function hasModels(file: string): boolean {
  return statSync(file).isFile() && /"models"\s*:/.test(readFileSync(file, 'utf8'));
}

export type SchemaOrigin =
  | { readonly kind: 'example'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'stdin' };

export interface SchemaText {
  readonly text: string;
  /** Its name in messages. */
  readonly file: string;
}

export const examples = {
  blog: 'posts, comments and tags',
  shop: 'products, categories and orders',
  minimal: 'notes: one model to grow from',
};
export type ExampleName = keyof typeof examples;

export async function readSchemaText(session: Session, origin: SchemaOrigin): Promise<SchemaText> {
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

async function readBytes({ command, folder, terminal }: Session, origin: SchemaOrigin) {
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
      : `Name the folder of a project: \`npx scaffold ${command} my-api\`.`;
  return { bytes: await readUserFile(resolve(folder, path), path, help), file: path };
}

const unreadableReasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'may not be read',
};

/** `path`: the file as the user typed it. */
async function readUserFile(file: string, path: string, help: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const code = readErrorCode(error);
    const message = `\`${path}\` ${unreadableReasons[code] ?? `cannot be read (${code})`}.`;
    throw new UserError('SCF003', message, { exit: exitCode.usage, help });
  }
}
