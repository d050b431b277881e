import {
  getSchema,
  type Attribute,
  type BlockAttribute,
  type Comment,
  type Value,
} from '@mrleebo/prisma-ast';
import { exitCode, UserError } from '../../errors.ts';

export type { Attribute, BlockAttribute, Comment, Value as PrismaValue };

export function parsePrisma(text: string, file: string) {
  try {
    return getSchema(text).list;
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new UserError(
      'SCF651',
      `\`${file}\` is not a Prisma schema${stopLine(error)}: ${message}`,
      {
        exit: exitCode.schema,
        help: 'Run `npx prisma validate`, and import what it accepts.',
      },
    );
  }
}

/** The parser's errors have the token at which it stopped. The end of a file has no line. */
function stopLine(error: unknown): string {
  const token = error instanceof Error && 'token' in error ? error.token : undefined;
  const line = token instanceof Object && 'startLine' in token ? token.startLine : undefined;
  return Number.isInteger(line) ? ` (line ${String(line)})` : '';
}
