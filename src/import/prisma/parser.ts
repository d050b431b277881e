import {
  getSchema,
  type Attribute,
  type BlockAttribute,
  type Comment,
  type Value,
} from '@mrleebo/prisma-ast';
import { exitCode, UserError } from '../../errors.ts';

export type { Attribute, BlockAttribute, Comment, Value as PrismaValue };

export function parsed(text: string, file: string) {
  try {
    return getSchema(text).list;
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new UserError('SCF651', `\`${file}\` is not a Prisma schema: ${message}`, {
      exit: exitCode.schema,
      help: 'Run `npx prisma validate`, and import what it accepts.',
    });
  }
}
