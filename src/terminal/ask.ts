import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { exitCode, UserError } from '../errors.ts';
import type { Terminal } from './terminal.ts';

export interface Question {
  /** The option or argument that answers it: `[dir]`, `--example`. */
  readonly flag: string;
  /** A whole command that needs no question. */
  readonly instead: string;
  readonly message: string;
  /** The answer of Enter and `--yes`. Absent if only a person may decide: `--yes` leaves the question open. */
  readonly initial?: string;
  /** The only answers there are; Enter takes the first. */
  readonly choices?: readonly { readonly answer: string; readonly title: string }[];
  /** The problem of an answer, if it has one; the question is then asked again. */
  readonly refuse?: (answer: string) => string | undefined;
}

/**
 * Asks all questions. `--yes` takes the default; if nobody can be asked, it fails and names the flag, because the
 * `prompts` library would exit with status 0 when standard input is closed.
 */
export async function ask(terminal: Terminal, question: Question): Promise<string> {
  if (terminal.yes && question.initial !== undefined) return question.initial;
  if (!terminal.interactive) {
    throw new UserError('SCF002', `\`${question.flag}\` is missing, and prompts are disabled.`, {
      exit: exitCode.usage,
      help: question.instead,
    });
  }
  const answer = await (terminal.animated ? prompt : askPlainly)(terminal, question);
  if (answer === undefined) throw cancelled();
  return answer.trim() || (question.initial ?? '');
}

export function cancelled(disk = 'Nothing was written.'): UserError {
  return new UserError('SCF000', 'Cancelled.', { exit: exitCode.cancelled, disk });
}

async function prompt(terminal: Terminal, question: Question): Promise<string | undefined> {
  // The library uses colours unless this variable, which it reads when loaded, forbids it.
  if (!terminal.err.colors) process.env['NODE_DISABLE_COLORS'] = '1';
  const { default: prompts } = await import('prompts');
  const { message, initial, choices, refuse } = question;
  const validate = (answer: string) => refuse?.(answer.trim() || (initial ?? '')) ?? true;
  const common = { name: 'answer', message, stdout: process.stderr };
  const answers: { answer?: string } = await prompts(
    choices
      ? {
          ...common,
          type: 'select',
          choices: choices.map(({ answer, title }) => ({ title, value: answer })),
        }
      : { ...common, type: 'text', validate, ...(initial !== undefined && { initial }) },
  );
  return answers.answer;
}

/** For a terminal without cursor codes (`TERM=dumb`), and for one whose error output goes elsewhere. */
async function askPlainly(terminal: Terminal, question: Question): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  const closed = once(lines, 'close').then(() => undefined);
  terminal.interruption.addEventListener('abort', () => lines.close());
  try {
    return await untilAnswered(question, (text) => Promise.race([lines.question(text), closed]));
  } finally {
    lines.close();
  }
}

type Line = (text: string) => Promise<string | undefined>;

/** Choices are picked by number; after any other answer, the question is asked again. */
async function untilAnswered(question: Question, line: Line): Promise<string | undefined> {
  const { message, choices } = question;
  if (!choices) return untilAccepted(question, line);
  const list = choices.map(({ title }, at) => `  ${at + 1}  ${title}\n`).join('');
  for (;;) {
    const typed = await line(`${message}\n${list}Number (1): `);
    if (typed === undefined) return undefined;
    const chosen = choices[Number(typed.trim() || '1') - 1];
    if (chosen) return chosen.answer;
  }
}

async function untilAccepted(
  { message, initial = '', refuse }: Question,
  line: Line,
): Promise<string | undefined> {
  for (let before = ''; ;) {
    const typed = await line(`${before}${message} (${initial}) `);
    const fault = typed === undefined ? undefined : refuse?.(typed.trim() || initial);
    if (fault === undefined) return typed;
    before = `${fault}\n`;
  }
}
