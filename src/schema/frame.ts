import type { Position } from './problem.ts';
import { visible, widthOf } from './visible.ts';

/** Columns of a line that are shown. */
const room = 100;

/** Characters before and after a token that are looked at: a line may be as long as the file. */
const near = 500;

/** The line of a position with its neighbours, and carets under the token. */
export function frame(lines: readonly string[], position: Position): string[] {
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
    // Where the line is cut at its start, its neighbours would not stand where they stand in the file.
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
