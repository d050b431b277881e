import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { CompiledQuery, Driver, QueryResult } from 'kysely';
import { statementDriver } from './costly-reads.ts';
import { Busy } from './queue.ts';

/** What a process is asked, and what it answers: see `reader-process.ts`. */
export interface Question {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export type Answer<Row = unknown> =
  { readonly rows: Row[] } | { readonly message: string; readonly errcode: number | undefined };

interface Options {
  readonly file: string;
  /** Ends a statement, and the process that runs it. */
  readonly timeoutMs: number;
}

export interface ReaderProcesses extends Driver {
  /** How many can read at once. */
  readonly workers: number;
  stop(): Promise<void>;
}

/**
 * SQLite holds up whoever asks it, and what it does cannot be cut short. So what may take long is asked by a process
 * that can be ended; it starts when it is needed first.
 */
export function openReaderProcesses({ file, timeoutMs }: Options): ReaderProcesses {
  const workers = Math.max(1, Math.min(availableParallelism() - 1, 4));
  const running = new Set<ChildProcess>();
  const idle = new Set<ChildProcess>();

  const start = (): ChildProcess => {
    const child = fork(program, [file], { ...loader, serialization: 'advanced' });
    running.add(child);
    child.unref();
    child.channel?.unref();
    child.once('exit', () => {
      running.delete(child);
      idle.delete(child);
    });
    return child;
  };

  const run = async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
    const [free] = idle;
    const child = free ?? start();
    idle.delete(child);
    const answer = await ask<Row>(child, { sql, parameters }, timeoutMs);
    idle.add(child);
    if ('rows' in answer) return answer;
    throw Object.assign(new Error(answer.message), { errcode: answer.errcode });
  };

  return {
    ...statementDriver(run),
    workers,
    async stop() {
      const children = [...running];
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map((child) => once(child, 'exit')));
    },
  };
}

/** Ends the process that has not answered in time. */
function ask<Row>(
  child: ChildProcess,
  question: Question,
  timeoutMs: number,
): Promise<Answer<Row>> {
  return new Promise((resolve, reject) => {
    const settle = (work: () => void) => () => {
      clearTimeout(timer);
      child.off('message', answered).off('exit', ended);
      work();
    };
    const ended = settle(() => reject(new Busy(`A list took more than ${timeoutMs} ms.`)));
    const answered = (answer: Answer<Row>) => settle(() => resolve(answer))();
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    child.once('exit', ended).once('message', answered);
    child.send(question);
  });
}

const isCompiled = import.meta.url.endsWith('.js');
const program = new URL(`./reader-process.${isCompiled ? 'js' : 'ts'}`, import.meta.url);
const loader = isCompiled ? {} : { execArgv: ['--import', '@oxc-node/core/register'] };
