import type { ExitCode } from '../../errors.ts';
import type { Session } from '../../terminal/report.ts';

/** What the command line asks for. Its code is loaded when it runs: help and the version are to come at once. */
export interface Job {
  readonly name: string;
  readonly run: (session: Session) => Promise<ExitCode>;
}

export type TakeJob = (job: Job) => void;
