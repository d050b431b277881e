import type { Diagnostic, Session } from '../../../terminal/report.ts';
import { displayPath } from '../../display-path.ts';
import type { SemanticReport } from './conflicts.ts';
import { shortenMessage } from './shorten-message.ts';

/** Where code of the owner's no longer fits, or why nobody looked. */
export function semanticDiagnostics(
  session: Session,
  project: string,
  { conflicts, mentions, unchecked }: SemanticReport,
): Diagnostic[] {
  const found = conflicts.map(({ path, line, column, code, message, renamed }): Diagnostic => ({
    code: 'SCF508',
    severity: 'error',
    message: `${renamed ? `\`${renamed.from}\` is called \`${renamed.to}\` now. ` : ''}${shortenMessage(message)} (${code})`,
    file: displayPath(session, project, path),
    line,
    column,
  }));
  const named = mentions.map(({ path, line, column, word, now }): Diagnostic => ({
    code: 'SCF508',
    severity: 'warning',
    message: `\`${word}\` is named in a text, and ${now === undefined ? 'is no more' : `is \`${now}\` now`}.`,
    file: displayPath(session, project, path),
    line,
    column,
  }));
  if (unchecked === undefined) return [...found, ...named];
  const message = `The merged code was not type-checked: ${unchecked}`;
  return [...found, ...named, { code: 'SCF508', severity: 'note', message }];
}
