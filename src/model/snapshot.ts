import { exitCode, UserError } from '../errors.ts';
import type { App, Json } from './app.ts';
import { snapshotShape } from './snapshot-shape.ts';

const version = 1;

/** The app as `.scaffold/schema.json` keeps it: all of it, the keys of every object in order. */
export function snapshotApp(app: App): Json {
  return sortKeys({ version, app });
}

/** The app that a snapshot was made of; throws a `UserError` when the text was not written by `snapshotApp`. */
export function appFromSnapshot(json: unknown): App {
  const result = snapshotShape.safeParse(json);
  if (result.success) return result.data.app;
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') || 'the top';
  throw new UserError('SCF501', `\`.scaffold/schema.json\` is damaged at ${place}.`, {
    exit: exitCode.environment,
    help: 'Take the file back from version control: `git checkout -- .scaffold/schema.json`.',
  });
}

function sortKeys(value: unknown): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}
