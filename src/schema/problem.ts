import { isWide } from '../display-width.ts';
import { nothingWritten } from '../errors.ts';
import { countOf } from '../words.ts';

/** A problem of a schema file, placed at the exact token. */
export interface Problem {
  /** Stable: `SCF201`. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly position: Position;
  /** How to fix it: the nearest valid name, or all valid ones. */
  readonly help?: string;
}

/** One-based; `length` is that of the token, in characters, for the caret. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** A schema file, and how messages call it. */
export interface ProblemSource {
  readonly text: string;
  readonly file: string;
  /** What state errors leave the disk in: a sentence. */
  readonly disk?: string;
}

const mostFrames = 100;
const longestLine = 400;

/**
 * Every problem with its lines and a caret, and a last line that sums up, with what errors mean for the `disk`. Plain
 * text, without colours.
 */
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
    `${summary(problems, file, disk)}\n`,
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

function summary(problems: readonly Problem[], file: string, disk: string): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  const counts = [
    ...(errors > 0 ? [countOf(errors, 'error')] : []),
    ...(warnings > 0 ? [countOf(warnings, 'warning')] : []),
  ];
  return `${counts.join(' and ')} in ${visible(file)}.${errors > 0 ? ` ${disk}` : ''}`;
}

/** Columns of a line that are shown. */
const room = 100;

/** Characters shown before and after a token: a line may be as long as the file. */
const near = 500;

/** The line of a position with its neighbours, and carets under the token. */
function frame(lines: readonly string[], position: Position): string[] {
  const { line } = position;
  const characters = [...(lines[line - 1] ?? '')];
  const start = Math.max(0, position.column - 1 - near);
  const token = position.column - 1 - start;
  const around = characters.slice(start, start + token + near);
  const before = columnsOf(around.slice(0, token));
  const marked = Math.max(1, columnsOf(around.slice(token, token + position.length)));
  const skipped = columnsToSkip(before, marked);
  const width = String(line + 1).length;
  const row = (number: number, content: string) =>
    `  ${String(number).padStart(width)} | ${content}`.trimEnd();
  const neighbour = (number: number) => {
    // A line that is cut at its start hides its neighbours: their columns would not be those of the file.
    const content = start > 0 ? '' : windowOf((lines[number - 1] ?? '').slice(0, near), skipped);
    return content.trim() === '' ? [] : [row(number, content)];
  };
  const caret =
    ' '.repeat(before - skipped) + '^'.repeat(Math.min(marked, room - (before - skipped)));
  return [
    ...neighbour(line - 1),
    row(line, windowOf(around.join(''), skipped)),
    `  ${' '.repeat(width)} | ${caret}`,
    ...neighbour(line + 1),
  ];
}

/** A token that would end beyond the room is moved into it, with a third of the room before it. */
function columnsToSkip(before: number, marked: number): number {
  return before + Math.min(marked, room / 2) <= room ? 0 : before - Math.floor(room / 3);
}

function windowOf(line: string, skipped: number): string {
  let column = 0;
  let shown = '';
  for (const character of visible(line)) {
    const end = column + widthOf(character);
    if (column >= skipped && end <= skipped + room) shown += character;
    // A wide character that the edge cuts leaves its other half.
    else if (end > skipped && column < skipped) shown += ' '.repeat(end - skipped);
    column = end;
  }
  const left = skipped > 0 && shown !== '' ? `…${shown.slice([...shown][0]?.length ?? 0)}` : shown;
  return column > skipped + room ? `${left}…` : left;
}

function columnsOf(characters: readonly string[]): number {
  return [...visible(characters.join(''))].reduce((sum, character) => sum + widthOf(character), 0);
}

/** Characters that a terminal would act on, or that would turn the order of the text around. */
const unsafe =
  /[\p{Control}\p{Surrogate}\p{Line_Separator}\p{Paragraph_Separator}\p{Bidi_Control}]/gu;

/** The text as one line that no terminal acts on: a tab is spaces, a control character its picture. */
const visible = (text: string) => text.replaceAll(unsafe, picture);

const tab = '    ';

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\t') return tab;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\uFFFD';
}

const nothing = /^[\p{Nonspacing_Mark}\p{Enclosing_Mark}\u200b-\u200d\u2060\ufeff]$/u;

/** Columns that a terminal gives to one visible character. */
function widthOf(character: string): number {
  if (character < '\u0300') return 1;
  if (nothing.test(character)) return 0;
  return isWide(character) || /\p{Emoji_Presentation}/u.test(character) ? 2 : 1;
}
