import { frame } from './frame.ts';
import type { Problem } from './problem.ts';
import { visible } from './visible.ts';

const mostFrames = 100;
const longestLine = 400;

/** Every problem with its lines and a caret, and a last line that sums up. Plain text, without colours. */
export function formatProblems(problems: readonly Problem[], text: string, file: string): string {
  if (problems.length === 0) return '';
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const frames = problems
    .slice(0, mostFrames)
    .map((problem) => formatProblem(problem, lines, file));
  const rest = problems.length - frames.length;
  return [
    ...frames,
    ...(rest > 0 ? [`… and ${rest} more\n`] : []),
    `${summary(problems, file)}\n`,
  ].join('\n');
}

function formatProblem(problem: Problem, lines: readonly string[], file: string): string {
  const { severity, code, message, position, help } = problem;
  const gutter = ' '.repeat(String(position.line + 1).length);
  return [
    `${severity} ${code}  ${shortened(message)}`,
    `${gutter} --> ${visible(file)}:${position.line}:${position.column}`,
    ...frame(lines, position),
    ...(help === undefined || help === '' ? [] : [`${gutter}   = help: ${shortened(help)}`]),
    '',
  ].join('\n');
}

/** A name in the file may be as long as the file. */
function shortened(text: string): string {
  const shown = visible(text);
  return shown.length > longestLine ? `${[...shown].slice(0, longestLine).join('')}…` : shown;
}

function summary(problems: readonly Problem[], file: string): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  const counts = [counted(errors, 'error'), counted(warnings, 'warning')].filter(
    (count) => count !== '',
  );
  return `${counts.join(' and ')} in ${visible(file)}.${errors > 0 ? ' Nothing was written.' : ''}`;
}

function counted(count: number, what: string): string {
  if (count === 0) return '';
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
