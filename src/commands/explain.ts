import { readFileSync } from 'node:fs';
import { exitCode, UserError, type ExitCode } from '../errors.ts';
import { findNearest } from '../schema/suggest.ts';
import { report, type Session } from '../terminal/report.ts';

/** A section of `docs/errors.md`. */
const section =
  /^### (SCF\d{3})\n\n\*\*(.*?)\.?\*\* (.*)\n\nInstead of\n\n```\w+\n([^]*?)\n```\n\nwrite\n\n```\w+\n([^]*?)\n```$/gm;

/** The explanation of each error. Examples are schemas, in which `version` and `app` may be left out. */
export function readExplanations() {
  const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  const sections = [...page.replaceAll('\r\n', '\n').matchAll(section)];
  return new Map(
    sections.map(
      ([, code = '', title = '', explanation = '', bad = '', good = '']) =>
        [code, { title, explanation, bad, good }] as const,
    ),
  );
}

export async function runExplain(session: Session, written: string): Promise<ExitCode> {
  const code = written.toUpperCase();
  const explanations = readExplanations();
  const found = explanations.get(code);
  if (!found) {
    const meant = findNearest(/^\d+$/.test(code) ? `SCF${code}` : code, [...explanations.keys()]);
    const hint = meant === undefined ? '' : `Did you mean \`${meant}\`? `;
    throw new UserError('SCF001', `There is no error \`${written}\`.`, {
      exit: exitCode.usage,
      help: hint + 'Codes look like `SCF201`; docs/errors.md lists them all.',
    });
  }
  const { style } = session.terminal.out;
  const text = [
    `${style.strong(code)}  ${found.title}`,
    found.explanation,
    `${style.bad('Instead of')}\n\n${indentLines(found.bad)}`,
    `${style.good('write')}\n\n${indentLines(found.good)}`,
  ];
  return report(session, {
    exit: exitCode.done,
    text: `${text.join('\n\n')}\n`,
    data: { explanation: { code, ...found } },
  });
}

const indentLines = (text: string) => text.replaceAll(/^/gm, '  ');
