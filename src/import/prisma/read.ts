import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { exitCode, UserError } from '../../errors.ts';
import { parsePrisma } from './parse.ts';
import type { PrismaBlock } from './schema.ts';

/** Reads a schema file, or all below a folder. Throws a `UserError` (SCF651) if it is not a Prisma schema. */
export function readPrisma(path: string): readonly PrismaBlock[] {
  return filesAt(path).flatMap((file) => parsePrisma(readFileSync(file, 'utf8'), basename(file)));
}

function filesAt(path: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  const files = found?.isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.prisma'))
        .toSorted()
        .map((name) => join(path, name))
    : [path];
  if (found !== undefined && files.length > 0) return files;
  throw new UserError('SCF651', `There is no Prisma schema at \`${path}\`.`, {
    exit: exitCode.environment,
    help: 'Name the file, `prisma/schema.prisma`, or the folder that holds the parts.',
  });
}
