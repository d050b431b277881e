import { Chalk } from 'chalk';

/** The few ways in which this program marks text; with colours off, each returns its text as it is. */
export interface Style {
  readonly good: Mark;
  readonly bad: Mark;
  readonly careful: Mark;
  readonly strong: Mark;
  readonly faint: Mark;
  readonly place: Mark;
}

type Mark = (text: string) => string;

export function createStyle(options: { colors: boolean }): Style {
  const chalk = new Chalk({ level: options.colors ? 1 : 0 });
  return {
    good: chalk.green,
    bad: chalk.red,
    careful: chalk.yellow,
    strong: chalk.bold,
    faint: chalk.dim,
    place: chalk.cyan,
  };
}

/**
 * What the user asked for comes before what the stream is. `NO_COLOR` counts when it is not empty (no-color.org);
 * chalk itself does not look at it.
 */
export function wantsColors(options: {
  flag: boolean;
  env: NodeJS.ProcessEnv;
  isTerminal: boolean;
}): boolean {
  const { flag, env, isTerminal } = options;
  if (!flag || env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] !== undefined) return !['0', 'false'].includes(env['FORCE_COLOR']);
  return isTerminal && env['TERM'] !== 'dumb';
}

/** Colours for the frames of `schema/format-problem.ts`, which are plain text. */
export function colorProblems(style: Style, text: string): string {
  return text;
}
