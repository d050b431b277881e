import { z } from 'zod';
import { exitCode, UserError } from '../errors.ts';
import { sortKeys, type Json } from '../types/field-type.ts';
import type { App } from './app.ts';
import { appShape } from './app-shape.ts';
import { withoutKeys } from './field-shape.ts';

const snapshotVersion = 1;

/** The content of `.scaffold/schema.json`, with sorted keys. */
export const snapshotApp = (app: App): Json => sortKeys({ version: snapshotVersion, app });

/** Throws a `UserError` if `snapshotApp` did not write the text. */
export function appFromSnapshot(json: unknown): App {
  const result = snapshotShape.safeParse(json);
  if (result.success) return result.data.app;
  const [issue] = result.error.issues;
  const path = issue?.path.join('.') || 'the top';
  throw new UserError('SCF501', `\`.scaffold/schema.json\` is damaged at ${path}.`, {
    exit: exitCode.environment,
    help: 'Take the file back from version control: `git checkout -- .scaffold/schema.json`.',
  });
}

const snapshotShape = z.strictObject({
  version: z.literal(snapshotVersion),
  app: withoutKeys(['title', 'roles'], appShape),
});
