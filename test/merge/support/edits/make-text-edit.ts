import { remember } from '../../../../src/remember.ts';
import type { FileKind } from '../../../../src/merge/conflict.ts';
import type { Dice } from '../dice.ts';
import type { Edit } from './kind.ts';

/** What a person does to a file that is not code: settings, prose, packages. */
export function makeTextEdit(text: string, kind: FileKind, dice: Dice): Edit | undefined {
  const edits = kinds[kind] ?? prose;
  const names = Object.keys(edits);
  const name = names[dice.kind % names.length] ?? '';
  const lines = ownLines(text);
  const line = lines[dice.place % Math.max(1, lines.length)];
  const change = edits[name];
  if (line === undefined || !change) return undefined;
  return {
    name,
    apply: (version) =>
      parentOf(version, line) === parentOf(text, line)
        ? change(version, line, dice.detail)
        : undefined,
  };
}

/** Lines that are nowhere else in the text. */
const ownLines = remember((text) =>
  text.split('\n').filter((line) => line.length > 3 && text.split(line).length === 2),
);

/** What a line is inside: the next one above that opens a brace. */
function parentOf(text: string, line: string): string | undefined {
  const above = text.split(line)[0]?.split('\n') ?? [];
  return above.findLast((it) => it.trimEnd().endsWith('{'));
}

/** Nothing when the line is not there, or when the edit makes no sense at it. */
type Change = (text: string, line: string, detail: number) => string | undefined;

const prose: Readonly<Record<string, Change>> = {
  'a line more': (text, line, detail) => at(text, line, `${line}\n# Mine ${detail}.`),
  'lines at the end': (text, _, detail) => `${text}\n# Mine ${detail}\n\nOf my own.\n`,
  'lines in front': (text, _, detail) => `# Mine ${detail}\n${text}`,
  'another line': (text, line, detail) => at(text, line, `${line} mine ${detail}`),
  'a line less': (text, line) =>
    text.includes(`${line}\n`) ? at(text, `${line}\n`, '') : undefined,
};

const json: Readonly<Record<string, Change>> = {
  'a key more': (text, line, detail) =>
    line.endsWith(',') ? at(text, line, `${line}\n${indent(line)}"mine${detail}": "",`) : undefined,
  'another value': (text, line, detail) =>
    /: "[^"]*",?$/.test(line)
      ? at(text, line, line.replace(/: "[^"]*"/, `: "mine ${detail}"`))
      : undefined,
  'a key less': (text, line) => (line.endsWith('",') ? at(text, `${line}\n`, '') : undefined),
};

const env: Readonly<Record<string, Change>> = {
  'a setting more': (text, line, detail) => at(text, line, `${line}\nMINE_${detail}=1`),
  'another value': (text, line, detail) =>
    /^[A-Z_]+=/.test(line) ? at(text, line, line.replace(/=.*/, `=mine-${detail}`)) : undefined,
};

const kinds: Partial<Record<FileKind, Readonly<Record<string, Change>>>> = { json, env };

function at(text: string, line: string, by: string): string | undefined {
  const place = `\n${text}`.indexOf(`\n${line}`);
  if (place < 0 || text.split(line).length !== 2) return undefined;
  return text.slice(0, place) + by + text.slice(place + line.length);
}

function indent(line: string): string {
  return /^ */.exec(line)?.[0] ?? '';
}
