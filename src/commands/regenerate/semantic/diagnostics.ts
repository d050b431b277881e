import type { Diagnostic, Session } from '../../../terminal/report.ts';
import { displayPath } from '../../place.ts';
import type { SemanticReport } from './conflicts.ts';
import type { HandedOn } from './handed-on.ts';

/** Where code of the owner's no longer fits, or why nobody looked. */
export function semanticDiagnostics(
  session: Session,
  project: string,
  { conflicts, uses = [], mentions, unchecked }: SemanticReport,
): Diagnostic[] {
  const found = conflicts.map(({ path, line, column, code, message, renamed }): Diagnostic => ({
    code: 'SCF508',
    severity: 'error',
    message: `${renamed ? `\`${renamed.from}\` is called \`${renamed.to}\` now. ` : ''}${shortenMessage(message)} (${code})`,
    file: displayPath(session, project, path),
    line,
    column,
  }));
  const handedOn = uses.map(({ path, line, column, handedOn: it }): Diagnostic => ({
    code: 'SCF508',
    severity: 'error',
    message: messageOf(it),
    file: displayPath(session, project, path),
    line,
    column,
  }));
  const named = mentions.map(({ path, line, column, word, now, isSilent }): Diagnostic => ({
    code: 'SCF508',
    severity: isSilent ? 'error' : 'warning',
    message: `\`${word}\` is named in a text, and ${now === undefined ? 'is no more' : `is \`${now}\` now`}${isSilent ? `; \`${word}\` means something else` : ''}.`,
    file: displayPath(session, project, path),
    line,
    column,
  }));
  const all = [...found, ...handedOn, ...named];
  if (unchecked === undefined) return all;
  const message = `The merged code was not type-checked: ${unchecked}`;
  return [...all, { code: 'SCF508', severity: 'note', message }];
}

function messageOf({ word, now }: HandedOn): string {
  const before = now === undefined ? 'is gone' : `is called \`${now}\` now`;
  return `What \`${word}\` meant ${before}, and \`${word}\` means something else. This line compiles as before.`;
}

/** What a compiler says, without the insides of types that fill lines. */
export function shortenMessage(message: string): string {
  const short = message.split("'").map(withoutInsides).join("'").replaceAll(manyValues, '$1 | …');
  return short.length > longest ? `${short.slice(0, longest).replace(/\s+\S*$/, '')} …` : short;
}

/** The rest tells which type is in which; the place tells it, too. */
const longest = 300;

/** `"a" | "b" | "c" | "d" | "e"` */
const manyValues = /("[^"]*"(?: \| "[^"]*"){2})(?: \| "[^"]*"){2,}/g;

function withoutInsides(text: string): string {
  let result = '';
  let depth = 0;
  for (const piece of text.split(/(?=[{}])/)) {
    if (piece.startsWith('{')) {
      if (depth === 0) result += '{ … ';
      depth += 1;
    } else {
      if (piece.startsWith('}') && depth > 0) depth -= 1;
      if (depth === 0) result += piece;
    }
  }
  // What is very long the compiler itself has cut off.
  return depth > 0 ? `${result}}` : result;
}
