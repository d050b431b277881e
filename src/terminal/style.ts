import { Chalk } from 'chalk';

/** Without colours, each function returns its text unchanged. */
export type Style = Readonly<
  Record<'good' | 'bad' | 'careful' | 'strong' | 'faint' | 'accent', Mark>
>;

type Mark = (text: string) => string;

export function createStyle(options: { colors: boolean }): Style {
  const chalk = new Chalk({ level: options.colors ? 1 : 0 });
  return {
    good: mark(chalk.green),
    bad: mark(chalk.red),
    careful: mark(chalk.yellow),
    strong: mark(chalk.bold),
    faint: mark(chalk.dim),
    accent: mark(chalk.cyan),
  };
}

/** The functions of chalk join all their arguments. */
const mark =
  (paint: (text: string) => string): Mark =>
  (text) =>
    paint(text);

/**
 * The user's choice takes precedence over the kind of stream. An empty variable counts as absent (no-color.org,
 * force-color.org). chalk itself does not support `NO_COLOR`.
 */
export function wantsColors(options: {
  flag: boolean;
  env: NodeJS.ProcessEnv;
  isTerminal: boolean;
}): boolean {
  const { flag, env, isTerminal } = options;
  if (!flag || env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return !['0', 'false'].includes(env['FORCE_COLOR']);
  return isTerminal && env['TERM'] !== 'dumb';
}

/** Adds colours to the plain text of `formatProblems`. */
export function colorProblems(style: Style, text: string): string {
  return text
    .replaceAll(/(?<=^(?:error|warning) )SCF\d+/gm, style.strong)
    .replaceAll(/^error/gm, style.bad)
    .replaceAll(/^warning/gm, style.careful)
    .replaceAll(/(?<=^ +--> ).*/gm, style.accent)
    .replaceAll(/(?<=^ +\|[ \t]+)\^+$/gm, style.bad)
    .replaceAll(/(?<=^ += )help(?=:)/gm, style.accent);
}

/** Adds colours to a unified diff. */
export function colorDiff(style: Style, text: string): string {
  return text
    .replaceAll(/^(?:diff |--- |\+\+\+ ).*$/gm, style.strong)
    .replaceAll(/^@@ .*$/gm, style.accent)
    .replaceAll(/^-(?!-- ).*$/gm, style.bad)
    .replaceAll(/^\+(?!\+\+ ).*$/gm, style.good);
}
