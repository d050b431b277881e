import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import { decoderOf, resultCode } from './dialect.ts';
import type { Column, DatabaseSync, StatementSync } from './driver.ts';
import { openFile } from './file.ts';
import { Busy, statementDriver } from './queue.ts';
import { columnTypes } from './tables.ts';
import { refuseInsideTransaction } from './transaction.ts';

/** Reads; its statements see nothing of what is not committed. */
export function openReader(connection: DatabaseSync): SqliteDriver {
  const statementOf = statementCache(connection);
  return new SqliteDriver({
    database: { prepare: statementOf, close: () => connection.close() },
  });
}

/** Writes, one transaction at a time. */
export function openWriter(connection: DatabaseSync): SqliteDriver {
  const statementOf = statementCache(connection);
  return new WritingDriver(connection, strictly(connection, statementOf));
}

class WritingDriver extends SqliteDriver {
  readonly #connection: DatabaseSync;

  constructor(connection: DatabaseSync, statementOf: (text: string) => SqliteStatement) {
    super({ database: { prepare: statementOf, close: () => connection.close() } });
    this.#connection = connection;
  }

  /** A full disk has made SQLite roll back already: to ask for it again would fail, and hide the cause. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.isTransaction) await super.rollbackTransaction(connection);
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    refuseInsideTransaction();
    return super.acquireConnection();
  }
}

/**
 * As on PostgreSQL, a transaction ends with the first statement that fails in it: what its code catches and goes on
 * from does not become half of a commit.
 */
function strictly(connection: DatabaseSync, statementOf: (text: string) => SqliteStatement) {
  let hasFailed = false;
  return (text: string): SqliteStatement => {
    if (text === 'begin' || text.startsWith('rollback')) hasFailed = false;
    else if (hasFailed && connection.isTransaction) throw new Error(aborted);
    // A deferred transaction that turns into a write fails at once when another process has written meanwhile.
    const statement = statementOf(text === 'begin' ? 'begin immediate' : text);
    const watched = <Result>(run: () => Result): Result => {
      try {
        return run();
      } catch (error) {
        hasFailed = connection.isTransaction;
        throw error;
      }
    };
    return {
      reader: statement.reader,
      all: (parameters) => watched(() => statement.all(parameters)),
      run: (parameters) => watched(() => statement.run(parameters)),
      iterate: (parameters) => statement.iterate(parameters),
    };
  };
}

const aborted =
  'A statement of this transaction has failed, so nothing of it can be kept: let the error pass, or put what may fail into a savepoint.';

const keptStatements = 1000;

/** Prepares each text once. */
export function statementCache(connection: DatabaseSync) {
  const statements = new Map<string, SqliteStatement>();
  return (text: string): SqliteStatement => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const statement = prepare(connection, text);
    for (const oldest of statements.keys()) {
      if (statements.size < keptStatements) break;
      statements.delete(oldest);
    }
    statements.set(text, statement);
    return statement;
  };
}

/** A statement that takes the values of JavaScript, and answers those of the API. */
function prepare(connection: DatabaseSync, text: string): SqliteStatement {
  const statement = connection.prepare<object>(text);
  const columns = statement.columns();
  const decode = decoding(statement, columns);
  return {
    reader: columns.length > 0,
    all(parameters) {
      const rows = statement.all(...parameters.map(bound));
      return decode === undefined ? rows : rows.map(decode);
    },
    run: (parameters) => statement.run(...parameters.map(bound)),
    *iterate(parameters) {
      for (const row of statement.iterate(...parameters.map(bound))) yield decode?.(row) ?? row;
    },
  };
}

/** The driver binds numbers as floats, which cost a conversion with every row that they are compared to. */
function bound(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return Number.isSafeInteger(value) ? BigInt(Number(value)) : value;
}

/** By the columns that the results come from; what an expression makes stays as it is. */
function decoding(statement: StatementSync<object>, columns: readonly Column[]) {
  const decoders = columns.flatMap(({ name, table, column }) => {
    const type = columnTypes[table ?? '']?.[column ?? ''];
    const decode = type && decoderOf(type);
    return decode === undefined || type === undefined ? [] : [[name, decode, type] as const];
  });
  if (decoders.length === 0) return undefined;
  const isLarge = decoders.some(([, , { type }]) => type === 'decimal' || type === 'bigint');
  if (isLarge) statement.setReadBigInts(true);
  return (row: object): object => {
    const values: Record<string, unknown> = { ...row };
    for (const [name, decode] of decoders) {
      if (values[name] !== null) values[name] = decode(values[name]);
    }
    if (!isLarge) return values;
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === 'bigint') values[name] = Number(value);
    }
    return values;
  };
}

/** What a process is asked, and what it answers. */
interface Question {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

type Answer<Row = unknown> =
  { readonly rows: Row[] } | { readonly message: string; readonly errcode: number | undefined };

interface Options {
  readonly file: string;
  /** Ends a statement, and the process that runs it. */
  readonly timeoutMs: number;
}

interface ReaderProcesses extends Driver {
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
    const child = fork(import.meta.filename, [file], { ...loader, serialization: 'advanced' });
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

const isCompiled = import.meta.filename.endsWith('.js');
const loader = isCompiled ? {} : { execArgv: ['--import', '@oxc-node/core/register'] };

/** In a process of its own, this file reads one statement after the other, and ends when whoever asks is gone. */
function answerQuestions(file: string): void {
  const statementOf = statementCache(openFile(file, { readOnly: true }));
  const answer = ({ sql, parameters }: Question): Answer => {
    try {
      return { rows: statementOf(sql).all(parameters) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { message, errcode: resultCode(error) };
    }
  };
  process.on('message', (question: Question) => process.send?.(answer(question)));
  // Signals of a terminal reach it, too: the server that it reads for says when to end.
  process.on('SIGINT', () => {});
}

const [, program, file = ''] = process.argv;
if (program === import.meta.filename) answerQuestions(file);
