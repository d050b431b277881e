import type { Diagnostic, Session } from '../../../terminal/report.ts';
import { displayPath } from '../../place.ts';
import type { SemanticReport } from './conflicts.ts';
import type { HandedOn } from './handed-on.ts';
import { shortenMessage } from './shorten-message.ts';

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
