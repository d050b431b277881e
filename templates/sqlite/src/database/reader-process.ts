import { resultCode } from './errors.ts';
import { openFile } from './file.ts';
import type { Answer, Question } from './reader-processes.ts';
import { statementCache } from './sqlite-driver.ts';

/** A process that reads for `reader-processes.ts`, one statement after the other, and ends when that is gone. */
const [, , file = ''] = process.argv;
const statementOf = statementCache(openFile(file, { readOnly: true }));

process.on('message', (question: Question) => process.send?.(answer(question)));
// Signals of a terminal reach it, too: the server that it reads for says when to end.
process.on('SIGINT', () => {});

function answer({ sql, parameters }: Question): Answer {
  try {
    return { rows: statementOf(sql).all(parameters) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { message, errcode: resultCode(error) };
  }
}
