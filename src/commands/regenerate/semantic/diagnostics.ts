import type { Diagnostic, Session } from '../../../terminal/report.ts';
import { displayPath } from '../../display-path.ts';
import type { SemanticReport } from './misfits.ts';
import type { ReusedName } from './reused-names.ts';
import type { Mention } from './mentions.ts';

/** Reports where the owner's code no longer fits, or why it was not checked. */
export function diagnoseMisfits(
  session: Session,
  project: string,
  { misfits, uses, mentions, changedQueries, unchecked }: SemanticReport,
): Diagnostic[] {
  const found = [
    ...misfits.map(({ code, renamed, ...it }) => {
      const now = renamed ? `\`${renamed.from}\` is now called \`${renamed.to}\`. ` : '';
      return { ...it, isError: true, message: `${now}${shortenMessage(it.message)} (${code})` };
    }),
    ...uses.map((it) => ({ ...it, isError: true, message: describeReusedName(it.reused) })),
    ...mentions.map((it) => ({ ...it, isError: it.isBroken, message: describeMention(it) })),
    ...changedQueries,
  ].map(({ path, line, column, message, isError }): Diagnostic => {
    const place = { file: displayPath(session, project, path), line, column };
    return { code: 'SCF508', severity: isError ? 'error' : 'warning', message, ...place };
  });
  if (unchecked === undefined) return found;
  const message = `Your code was not type-checked: ${unchecked}`;
  const help = 'Fix that, then run `npx scaffold check`.';
  return [...found, { code: 'SCF508', severity: 'note', message, help }];
}

function describeReusedName({ word, newName }: ReusedName): string {
  const before = newName === undefined ? 'is gone' : `is now called \`${newName}\``;
  return `What \`${word}\` meant ${before}, and \`${word}\` means something else. This line still compiles.`;
}

function describeMention({ word, newName, madeBy }: Mention): string {
  if (madeBy !== undefined)
    return `\`${madeBy}\` made this file before the schema changed. Run it again.`;
  const state = newName === undefined ? 'is gone' : `is now \`${newName}\``;
  return `This line still mentions \`${word}\`, which ${state}.`;
}

/** A compiler message without long inner types. */
export function shortenMessage(message: string): string {
  const short = message.split("'").map(withoutInsides).join("'").replaceAll(manyValues, '$1 | …');
  return short.length > mostShown ? `${short.slice(0, mostShown).replace(/\s+\S*$/, '')} …` : short;
}

/** The rest would say which type is in which, as the place does. */
const mostShown = 300;

/** `"a" | "b" | "c" | "d" | "e"` */
const manyValues = /("[^"]*"(?: \| "[^"]*"){2})(?: \| "[^"]*"){2,}/g;

function withoutInsides(text: string): string {
  let [before, short] = ['', text];
  while (short !== before) [before, short] = [short, short.replace(/\{[^{}]*\}/g, hidden)];
  // The compiler itself cuts very long types.
  return short.replace(/\{[^]*$/, hidden).replaceAll(hidden, '{ … }');
}

const hidden = '\0';
