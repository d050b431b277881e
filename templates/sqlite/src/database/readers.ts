import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { CompiledQuery, QueryResult } from 'kysely';
import { Busy, TooSlow } from './errors.ts';
import type { Answer, Failure, Question, ThreadData } from './reader-thread.ts';
import { type Lane, readInLanes } from './reading.ts';

interface ReaderOptions extends ThreadData {
  /** The most threads. */
  readonly count: number;
  readonly statementTimeoutMs: number;
}

/** A read that takes longer goes on in the slow lane. */
const quickMs = 20;
/** The most questions that go to a thread in one message. */
const mostTogether = 16;

/**
 * SQLite blocks the thread that calls it, so reads run in threads, each with a connection of its own. The first starts at
 * once, so that the first visitor does not wait for it; the others start when they are needed. Slow reads never get the
 * first one, unless it is the only one.
 */
export function openReaders(options: ReaderOptions) {
  const { count, statementTimeoutMs } = options;
  const threads: Thread[] = Array.from({ length: count }, () => openThread(options));
  threads[0]?.start();
  const forSlow = threads.slice(Math.min(1, count - 1));
  const slow = new Set<Thread>();

  const quickLane: Lane = {
    places: count * mostTogether,
    limitMs: quickMs,
    async run(query, limitMs) {
      const ask = <Row>() => {
        const free = threads.filter((each) => !slow.has(each));
        return leastBusy(free.length === 0 ? threads : free).ask<Row>(query, limitMs);
      };
      try {
        return await ask();
      } catch (error) {
        if (error instanceof Ended) return ask();
        throw error;
      }
    },
  };
  const slowLane: Lane = {
    places: forSlow.length,
    limitMs: statementTimeoutMs,
    async run(query, limitMs) {
      const thread = leastBusy(forSlow.filter((each) => !slow.has(each)));
      slow.add(thread);
      try {
        return await thread.ask(query, limitMs);
      } finally {
        slow.delete(thread);
      }
    },
  };
  return {
    run: readInLanes(quickLane, slowLane),
    async stop() {
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}

/** A thread that failed; what it had not answered can be asked again. */
class Ended extends Busy {}

function leastBusy(threads: readonly Thread[]): Thread {
  return threads.reduce((least, each) => (each.backlog() < least.backlog() ? each : least));
}

type Thread = ReturnType<typeof openThread>;

/** How many threads may be abandoned while they run a statement that cannot be interrupted because it never calls `in_time`. */
const maxStuck = 2;
/** Starting a thread takes about as long as this many answers. */
const answersPerStart = 4;
/** A thread that does not answer in time is abandoned. */
const graceMs = 3000;

function openThread({ file, lockTimeoutMs, statementTimeoutMs }: ReaderOptions) {
  const waiting = new Map<number, (answer: Answer | Busy) => void>();
  /** The one that answers, and those that were abandoned. */
  const running = new Set<Worker>();
  let worker: Worker | undefined;
  let isReady = false;
  let timer: NodeJS.Timeout | undefined;
  let questions: Question[] = [];
  let lastId = 0;

  const launch = (): Worker => {
    if (running.size >= maxStuck) throw new Busy('The threads that read are stuck.');
    const data: ThreadData = { file, lockTimeoutMs };
    const started = new Worker(program, { workerData: data, execArgv });
    started.on('message', (answers) => {
      if (worker === started) receive(answers);
    });
    started.on('error', (error) => leave(started, new Ended(error.message)));
    started.on('exit', () => {
      running.delete(started);
      leave(started, new Ended('A thread that reads has ended.'));
    });
    running.add(started);
    // An idle thread does not keep the process alive.
    started.unref();
    return started;
  };

  const receive = (answers: readonly Answer[]) => {
    isReady = true;
    for (const answer of answers) {
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    }
    watch();
    if (answers.length > 0 && waiting.size === 0) worker?.unref();
  };

  /** Refuses those who wait; the next question starts another thread. */
  const leave = (left: Worker, reason: Busy) => {
    if (worker !== left) return;
    worker = undefined;
    isReady = false;
    questions = [];
    const refused = [...waiting.values()];
    waiting.clear();
    watch();
    for (const settle of refused) settle(reason);
  };

  const watch = () => {
    clearTimeout(timer);
    const watched = worker;
    if (watched === undefined || !isReady || waiting.size === 0) return;
    timer = setTimeout(() => {
      leave(watched, new Busy('A thread that reads did not answer in time.'));
      // `terminate()` would crash the process once SQLite returned to the dead thread.
      watched.postMessage([], []);
    }, statementTimeoutMs + graceMs);
  };

  const send = () => {
    if (questions.length > 0) worker?.postMessage(questions, []);
    questions = [];
  };

  return {
    /** How many answers a new question has to wait for. */
    backlog: () => waiting.size + (isReady ? 0 : answersPerStart),
    /** Does nothing if it has started already. */
    start(): void {
      worker ??= launch();
    },
    ask: <Row>({ sql, parameters }: CompiledQuery, limitMs: number) =>
      new Promise<QueryResult<Row>>((found, failed) => {
        // A slot has functions, which no thread can be sent.
        if (!parameters.every(isBindable))
          throw new TypeError('A parameter is not a value of SQLite.');
        worker ??= launch();
        const id = (lastId += 1);
        if (questions.push({ id, sql, parameters, limitMs }) === 1) setImmediate(send);
        waiting.set(id, (answer) => {
          // The author of the statement knows the type of its rows.
          if ('rows' in answer) found({ rows: Object(answer.rows) });
          else failed(errorOf(answer));
        });
        if (waiting.size > 1) return;
        worker.ref();
        watch();
      }),
    /** Throws when a thread does not end. */
    async stop(): Promise<void> {
      worker?.postMessage([], []);
      const exits = [...running].map((each) => {
        each.ref();
        return new Promise((resolve) => each.once('exit', resolve));
      });
      const isLate = sleep(graceMs, true, { ref: false });
      if (await Promise.race([Promise.all(exits).then(() => false), isLate]))
        throw new Busy('A statement that nothing can interrupt is still running.');
    },
  };
}

const isBindable = (value: unknown) =>
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ||
  value === null ||
  ArrayBuffer.isView(value);

function errorOf(failure: Failure | Busy): Error {
  if (failure instanceof Busy) return failure;
  const { message, errcode, isTooSlow } = failure;
  return isTooSlow ? new TooSlow(message) : Object.assign(new Error(message), { errcode });
}

const extension = extname(import.meta.filename);
const program = new URL(`./reader-thread${extension}`, import.meta.url);
const execArgv = extension === '.js' ? [] : ['--import', '@oxc-node/core/register'];
