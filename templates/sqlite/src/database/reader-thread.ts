import { parentPort, workerData } from 'node:worker_threads';
import { resultCode, TooSlow } from './errors.ts';
import { openLater, withinTime } from './file.ts';
import { statementRunner } from './statements.ts';

export interface ThreadData {
  readonly file: string;
  readonly lockTimeoutMs: number;
}

export interface Question {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly limitMs: number;
}

export type Answer = { readonly id: number } & (FoundRows | Failure);

interface FoundRows {
  readonly rows: unknown[];
}

/** Between threads, an error keeps only its message. */
export interface Failure {
  readonly message: string;
  readonly isTooSlow: boolean;
  readonly errcode: number | undefined;
}

const { file, lockTimeoutMs }: ThreadData = workerData;
const connection = openLater(file, { readOnly: true, timeout: lockTimeoutMs });
const run = statementRunner(connection.get);

/** This thread runs one statement after another, and answers them together. A message without questions ends it. */
parentPort?.on('message', (questions: readonly Question[]) => {
  if (questions.length === 0) parentPort?.close();
  else parentPort?.postMessage(questions.map(answer), []);
});
// Its time starts here: on a busy machine it takes a while to get this far.
parentPort?.postMessage([], []);

function answer({ id, sql, parameters, limitMs }: Question): Answer {
  try {
    return { id, rows: withinTime(limitMs, () => run(sql, parameters)).rows };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { id, message, isTooSlow: error instanceof TooSlow, errcode: resultCode(error) };
  }
}
