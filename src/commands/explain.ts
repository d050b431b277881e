import { exitCode, UserError, type ExitCode } from '../errors.ts';
import { hazardCodes } from '../evolve/hazards/hazard.ts';
import { codes as schemaCodes } from '../schema/codes.ts';
import { report, type Session } from '../terminal/report.ts';
import { codes as runCodes } from './codes.ts';

/** The long form of an error. */
export async function runExplain(session: Session, asked: string): Promise<ExitCode> {
  const code = asked.toUpperCase();
  const explanation = new Map(Object.entries({ ...runCodes, ...schemaCodes, ...hazardCodes })).get(
    code,
  );
  if (!explanation) {
    throw new UserError('SCF001', `There is no error \`${asked}\`.`, {
      exit: exitCode.usage,
      help: 'Codes look like `SCF201`; docs/errors.md lists them all.',
    });
  }
  const { style } = session.terminal.out;
  const { title, explanation: meaning, bad, good } = explanation;
  const text = [
    `${style.strong(code)}  ${title}`,
    meaning,
    `${style.bad('Instead of')}\n\n${indent(bad)}`,
    `${style.good('write')}\n\n${indent(good)}`,
  ];
  return report(session, {
    exit: exitCode.done,
    text: `${text.join('\n\n')}\n`,
    data: { explanation: { code, ...explanation } },
  });
}

const indent = (text: string) => text.trimEnd().replaceAll(/^/gm, '  ');
