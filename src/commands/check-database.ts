import type { Diagnostic } from '../terminal/report.ts';
import { askStatus, type DatabaseStatus } from './database-status.ts';

const timeout = 60_000;

/** What the project's own `db:status` says about its database; a note when it cannot be asked. */
export async function checkDatabase(
  folder: string,
  interruption: AbortSignal,
): Promise<readonly Diagnostic[]> {
  const until = AbortSignal.any([interruption, AbortSignal.timeout(timeout)]);
  const asked = await askStatus({ folder, interruption: until });
  return 'status' in asked ? diagnose(asked.status) : [notLooked(asked.reason)];
}

function notLooked(why: string): Diagnostic {
  return { code: 'SCF515', severity: 'note', message: `The database was not looked at: ${why}` };
}

function diagnose(status: DatabaseStatus): readonly Diagnostic[] {
  const { pending, unknown, altered, underWay, drift } = status;
  return [
    ...(underWay ? [underWayError(underWay)] : []),
    ...(pending.length > 0 ? [pendingWarning(pending)] : []),
    ...unknown.map(unknownError),
    ...altered.map((id) => error(`\`migrations/${id}\` was edited after it had been applied.`)),
    ...drift.filter(({ kind }) => kind !== 'extra').map(ofDifference),
    ...ownNote(drift),
  ];
}

function pendingWarning(pending: readonly string[]): Diagnostic {
  const ids = pending.map((id) => `\`${id}\``).join(', ');
  return {
    code: 'SCF515',
    severity: 'warning',
    message: `Not applied to the database yet: ${ids}.`,
    help: '`npm run db:migrate`, or start the server.',
  };
}

function unknownError(id: string): Diagnostic {
  return {
    ...error(`The database has applied \`${id}\`, which is not in migrations/.`),
    help: `Run the code that made it; or restore \`migrations/${id}\` from version control, and run \`scaffold regenerate\`.`,
  };
}

function underWayError({ id, command }: NonNullable<DatabaseStatus['underWay']>): Diagnostic {
  return {
    ...error(`The database has some steps of \`${id}\`, and not all.`),
    help: `\`npm run ${command}\` goes on with it.`,
  };
}

function error(message: string): Diagnostic {
  return { code: 'SCF515', severity: 'error', message };
}

/** What is there beside ours is its owner's. */
function ownNote(drift: DatabaseStatus['drift']): readonly Diagnostic[] {
  const own = drift.filter(({ kind }) => kind === 'extra').map(({ object }) => object);
  if (own.length === 0) return [];
  const message = `The database also has: ${own.join(', ')}.`;
  return [{ code: 'SCF515', severity: 'note', message }];
}

function ofDifference({
  kind,
  object,
  expected,
  found,
}: DatabaseStatus['drift'][number]): Diagnostic {
  if (kind === 'missing') return error(`The database lacks: ${object}.`);
  const texts = expected && found ? ` It is \`${found}\` and should be \`${expected}\`.` : '';
  return error(`The database differs in: ${object}.${texts}`);
}
