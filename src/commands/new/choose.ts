import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { folderFlaw } from '../../project/plan-new.ts';
import { ask, type Question } from '../../terminal/ask.ts';
import type { Session } from '../../terminal/report.ts';
import { examples, type Origin } from '../schema-text.ts';

export interface Asked {
  readonly dir?: string;
  readonly schema?: string;
  readonly example?: string;
  /** Some option was given: whoever types options wants no questions. */
  readonly answered: boolean;
}

export interface Choices {
  readonly dir: string;
  readonly origin: Origin;
}

/** At most two questions. The folder is the only thing without a default when there is nobody to ask. */
export async function choose(session: Session, asked: Asked): Promise<Choices> {
  const { folder } = session;
  const interactive = session.terminal.interactive && !asked.answered;
  const terminal = { ...session.terminal, interactive };
  return {
    dir: asked.dir ?? (await ask(terminal, folderQuestion(folder))),
    origin:
      given(asked) ?? toOrigin(interactive ? await ask(terminal, schemaQuestion(folder)) : 'blog'),
  };
}

function folderQuestion(here: string): Question {
  return {
    flag: '[dir]',
    instead: 'For example: `npx scaffold new my-api`.',
    message: 'Project folder?',
    initial: 'my-api',
    refuse: (answer) => folderFlaw({ folder: resolve(here, answer), force: false }),
  };
}

/** The examples, and the schema files that lie here; another one is named by `--schema`. */
function schemaQuestion(here: string): Question {
  return {
    flag: '--schema',
    instead: 'For example: `npx scaffold new my-api --example blog`.',
    message: 'Start from (`--schema` takes any file)',
    initial: 'blog',
    choices: [
      ...Object.entries(examples).map(([answer, what]) => ({
        answer,
        title: `${answer.padEnd(8)} ${what}`,
      })),
      ...schemaFiles(here).map((answer) => ({
        answer: `./${answer}`,
        title: `${answer}, your schema`,
      })),
    ],
  };
}

const mostFiles = 10;

function schemaFiles(here: string): readonly string[] {
  return readdirSync(here)
    .filter((name) => /\.(ya?ml|json)$/.test(name) && isSchema(join(here, name)))
    .toSorted()
    .slice(0, mostFiles);
}

/** A guess that is only offered: a map with `models`. */
function isSchema(file: string): boolean {
  try {
    return /^\s*"?models"?\s*:/m.test(readFileSync(file, 'utf8').slice(0, 100_000));
  } catch {
    return false; // a folder, or a file that may not be read
  }
}

function given({ schema, example }: Asked): Origin | undefined {
  if (schema === '-') return { kind: 'stdin' };
  if (schema !== undefined) return { kind: 'file', path: schema };
  return example === undefined ? undefined : { kind: 'example', name: example };
}

function toOrigin(answer: string): Origin {
  return Object.hasOwn(examples, answer)
    ? { kind: 'example', name: answer }
    : { kind: 'file', path: answer };
}
