/** Exit statuses of the command line. */
export const exitCode = {
  done: 0,
  bug: 1,
  usage: 2,
  schema: 3,
  conflicts: 4,
  behind: 5,
  environment: 6,
  decision: 7,
  cancelled: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

export const nothingWritten = 'Nothing was written.';

/** An error that the user can fix. It says what is wrong, how to go on and what state the disk is in. */
export class UserError extends Error {
  readonly code: string;
  readonly exit: ExitCode;
  readonly help: string | undefined;
  readonly disk: string;

  constructor(
    code: string,
    message: string,
    options: { exit: ExitCode; help?: string; disk?: string },
  ) {
    super(message);
    this.name = 'UserError';
    this.code = code;
    this.exit = options.exit;
    this.help = options.help;
    this.disk = options.disk ?? nothingWritten;
  }
}

/** A state that the rules of the program exclude: a bug of ours. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}

export function hasCode(error: unknown, codes: readonly string[]): boolean {
  return codes.includes(readErrorCode(error));
}

/** The code of a system error, such as `ENOENT`; empty for other errors. */
export function readErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
