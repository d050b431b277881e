import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { CompiledQuery, QueryResult } from 'kysely';
import { Busy, TooSlow } from './errors.ts';
import type { Answer, Failure, Question, ThreadData } from './reader-thread.ts';
import { type Lane, readInLanes } from './reading.ts';

interface ReaderOptions extends ThreadData {
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
  const threads = Array.from({ length: count }, () => new Thread(options));
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

/** How many threads may be abandoned while they run a statement that cannot be interrupted because it never calls `in_time`. */
const maxStuck = 2;
/** Starting a thread takes about as long as this many answers. */
const answersPerStart = 4;
/** A thread that does not answer in time is abandoned. */
const graceMs = 3000;

/** Asks one worker at a time: the next one is started when it has failed or does not answer. */
class Thread {
  readonly #options: ReaderOptions;
  readonly #waiting = new Map<number, (answer: Answer | Busy) => void>();
  /** The worker that answers, and those that were abandoned. */
  readonly #running = new Set<Worker>();
  #worker: Worker | undefined;
  #isReady = false;
  #timer: NodeJS.Timeout | undefined;
  #questions: Question[] = [];
  #lastId = 0;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** How many answers a new question has to wait for. */
  backlog(): number {
    return this.#waiting.size + (this.#isReady ? 0 : answersPerStart);
  }

  start(): Worker {
    return (this.#worker ??= this.#launch());
  }

  async ask<Row>({ sql, parameters }: CompiledQuery, limitMs: number): Promise<QueryResult<Row>> {
    // A slot has functions, which no thread can be sent.
    if (!parameters.every(isBindable)) throw new TypeError('A parameter is not a value of SQLite.');
    const worker = this.start();
    const id = (this.#lastId += 1);
    const question = { id, sql, parameters, limitMs };
    if (this.#questions.push(question) === 1) setImmediate(() => this.#send());
    return new Promise((found, failed) => {
      this.#waiting.set(id, (answer) => {
        // The author of the statement knows the type of its rows.
        if ('rows' in answer) found({ rows: Object(answer.rows) });
        else failed(errorOf(answer));
      });
      if (this.#waiting.size > 1) return;
      worker.ref();
      this.#watch();
    });
  }

  /** Throws when a worker does not end. */
  async stop(): Promise<void> {
    this.#worker?.postMessage([], []);
    const exits = [...this.#running].map((each) => {
      each.ref();
      return new Promise((resolve) => each.once('exit', resolve));
    });
    const isLate = sleep(graceMs, true, { ref: false });
    if (await Promise.race([Promise.all(exits).then(() => false), isLate]))
      throw new Busy('A statement that nothing can interrupt is still running.');
  }

  #launch(): Worker {
    if (this.#running.size >= maxStuck) throw new Busy('The threads that read are stuck.');
    const { file, lockTimeoutMs } = this.#options;
    const workerData: ThreadData = { file, lockTimeoutMs };
    const worker = new Worker(program, { workerData, execArgv });
    worker.on('message', (answers) => {
      if (worker === this.#worker) this.#receive(answers);
    });
    worker.on('error', (error) => this.#leave(worker, new Ended(error.message)));
    worker.on('exit', () => {
      this.#running.delete(worker);
      this.#leave(worker, new Ended('A thread that reads has ended.'));
    });
    this.#running.add(worker);
    // An idle thread does not keep the process alive.
    worker.unref();
    return worker;
  }

  /** All questions of one round of the event loop go together. */
  #send(): void {
    if (this.#questions.length > 0) this.#worker?.postMessage(this.#questions, []);
    this.#questions = [];
  }

  #receive(answers: readonly Answer[]): void {
    this.#isReady = true;
    for (const answer of answers) {
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    }
    this.#watch();
    if (answers.length > 0 && this.#waiting.size === 0) this.#worker?.unref();
  }

  #watch(): void {
    clearTimeout(this.#timer);
    const watched = this.#worker;
    if (watched === undefined || !this.#isReady || this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#leave(watched, new Busy('A thread that reads did not answer in time.'));
      // `terminate()` would crash the process once SQLite returned to the dead thread.
      watched.postMessage([], []);
    }, this.#options.statementTimeoutMs + graceMs);
  }

  /** Refuses those who wait; the next question starts another worker. */
  #leave(left: Worker, reason: Busy): void {
    if (this.#worker !== left) return;
    this.#worker = undefined;
    this.#isReady = false;
    this.#questions = [];
    const refused = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#watch();
    for (const settle of refused) settle(reason);
  }
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
