import { exitCode, nothingWritten, UserError } from '../errors.ts';
import type { Terminal } from './terminal.ts';

export interface Question {
  /** The option or argument that answers the question: `[dir]`, `--example`. */
  readonly flag: string;
  /** A whole command that needs no question. */
  readonly instead: string;
  readonly message: string;
  /** The answer for Enter and `--yes`. Absent if only a person may decide. */
  readonly initial?: string;
  /** The possible answers. Enter takes the first. */
  readonly choices?: readonly { readonly answer: string; readonly title: string }[];
  /** Returns the problem of an answer, and the question is asked again. */
  readonly refuse?: (answer: string) => string | undefined;
}

/**
 * Asks a question. `--yes` takes the default. If nobody can be asked, it fails and names the option, because the
 * `prompts` library would exit with status 0 when standard input is closed.
 */
export async function ask(terminal: Terminal, question: Question): Promise<string> {
  const { flag, instead, message, initial, choices, refuse } = question;
  if (terminal.yes && initial !== undefined) return initial;
  if (!terminal.interactive) {
    throw new UserError('SCF002', `\`${flag}\` is missing, and prompts are disabled.`, {
      exit: exitCode.usage,
      help: instead,
    });
  }
  // The library uses colours unless this variable is set before it is loaded.
  if (!terminal.err.colors) process.env['NODE_DISABLE_COLORS'] = '1';
  const { default: prompts } = await import('prompts');
  const validate = (answer: string) => refuse?.(answer.trim() || (initial ?? '')) ?? true;
  const { answer }: { answer?: string } = await prompts({
    name: 'answer',
    message,
    stdout: process.stderr,
    ...(choices
      ? { type: 'select', choices: choices.map((it) => ({ title: it.title, value: it.answer })) }
      : { type: 'text', validate, ...(initial !== undefined && { initial }) }),
  });
  if (answer === undefined) throw makeCancelled();
  return answer.trim() || (initial ?? '');
}

export function makeCancelled(disk = nothingWritten): UserError {
  return new UserError('SCF000', 'Cancelled.', { exit: exitCode.cancelled, disk });
}
