import { displayWidth } from '../display-width.ts';
import { nothingWritten } from '../errors.ts';
import { printCount } from '../words.ts';

/** A problem of a schema file, with its position. */
export interface Problem {
  /** Stable: `SCF201`. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly position: Position;
  /** How to fix it: the nearest valid name, or all valid names. */
  readonly help?: string;
}

/** Counted from 1. `length` is that of the token, in characters. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** A schema file and its name in messages. */
export interface ProblemSource {
  readonly text: string;
  readonly file: string;
  /** A sentence about the state of the disk after errors. */
  readonly disk?: string;
}

const mostFrames = 100;
const longestLine = 400;

/** Formats problems with their lines and carets, and a summary. Plain text without colours. */
export function formatProblems(
  problems: readonly Problem[],
  { text, file, disk = nothingWritten }: ProblemSource,
): string {
  if (problems.length === 0) return '';
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const frames = problems
    .slice(0, mostFrames)
    .map((problem) => formatProblem(problem, lines, file));
  const rest = problems.length - frames.length;
  return [
    ...frames,
    ...(rest > 0 ? [`… and ${rest} more\n`] : []),
    `${summarizeProblems(problems, file, disk)}\n`,
  ].join('\n');
}

function formatProblem(problem: Problem, lines: readonly string[], file: string): string {
  const { severity, code, message, position, help } = problem;
  const gutter = ' '.repeat(String(position.line + 1).length);
  return [
    `${severity} ${code}  ${shortenLine(message)}`,
    `${gutter} --> ${visible(file)}:${position.line}:${position.column}`,
    ...frame(lines, position),
    ...(help === undefined || help === '' ? [] : [`${gutter}   = help: ${shortenLine(help)}`]),
    '',
  ].join('\n');
}

/** Names in a file may be of any length. */
function shortenLine(text: string): string {
  const shown = visible(text);
  return shown.length > longestLine ? `${[...shown].slice(0, longestLine).join('')}…` : shown;
}

function summarizeProblems(problems: readonly Problem[], file: string, disk: string): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  const counts = [
    ...(errors > 0 ? [printCount(errors, 'error')] : []),
    ...(warnings > 0 ? [printCount(warnings, 'warning')] : []),
  ];
  return `${counts.join(' and ')} in ${visible(file)}.${errors > 0 ? ` ${disk}` : ''}`;
}

/** How many characters of a line are shown. */
const room = 100;

/** The line of a position and its neighbours, with carets below the token. */
function frame(lines: readonly string[], { line, column, length }: Position): string[] {
  const before = column - 1;
  // Shows a part of a long line, with the token in it and a third of the width before the token.
  const skipped = before + Math.min(length, room / 2) <= room ? 0 : before - Math.floor(room / 3);
  const gutter = ' '.repeat(String(line + 1).length);
  const cutCharacters = (number: number) => cutLine([...(lines[number - 1] ?? '')], skipped);
  const row = (number: number) =>
    `  ${String(number).padStart(gutter.length)} | ${visible(cutCharacters(number).join(''))}`.trimEnd();
  const neighbour = (number: number) =>
    cutCharacters(number).join('').trim() === '' ? [] : [row(number)];
  const indent = measureWidth(cutCharacters(line).slice(0, before - skipped));
  const marked = measureWidth(
    cutCharacters(line).slice(before - skipped, before - skipped + length),
  );
  return [
    ...neighbour(line - 1),
    row(line),
    `  ${gutter} | ${' '.repeat(indent)}${'^'.repeat(Math.max(1, marked))}`,
    ...neighbour(line + 1),
  ];
}

/** Shortens a line to `room`, with `…` in place of what is cut off. */
function cutLine(line: readonly string[], skipped: number): readonly string[] {
  const shown = line.slice(skipped, skipped + room);
  const left = skipped > 0 && shown.length > 0 ? ['…', ...shown.slice(1)] : shown;
  return line.length > skipped + room ? [...left, '…'] : left;
}

const measureWidth = (characters: readonly string[]) => displayWidth(visible(characters.join('')));

/** Control characters, and characters that change the direction of text. */
const unsafe =
  /[\p{Control}\p{Surrogate}\p{Line_Separator}\p{Paragraph_Separator}\p{Bidi_Control}]/gu;

/** Makes a text safe for a terminal: a tab becomes spaces, a control character its picture. */
const visible = (text: string) => text.replaceAll(unsafe, picture);

const tab = '    ';

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\t') return tab;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\uFFFD';
}
