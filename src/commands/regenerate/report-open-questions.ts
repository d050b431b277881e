import { exitCode, type ExitCode } from '../../errors.ts';
import type { Ambiguity } from '../../evolve/changes/candidates.ts';
import { acceptanceKey, type Hazard } from '../../evolve/hazards/hazard.ts';
import type { Regeneration } from '../../project/regeneration.ts';
import { printDiagnostics, report, type Diagnostic, type Session } from '../../terminal/report.ts';
import { commandText } from './command-text.ts';
import { dropKey } from './decide.ts';
import type { Run } from './request.ts';
import { vainAcceptances } from './vain-acceptances.ts';

type Questions = Pick<Regeneration, 'ambiguities' | 'unaccepted'>;

/** Nobody can be asked: every question, the flag that answers each, and the whole command to paste. */
export function reportOpenQuestions(session: Session, run: Run, questions: Regeneration): ExitCode {
  const { terminal } = session;
  const vain = vainAcceptances(run.request, questions);
  const diagnostics = [...questionDiagnostics(questions), ...vain];
  const command = commandText(run.request, likeliest(questions));
  printDiagnostics(terminal, diagnostics);
  if (!terminal.json) {
    terminal.err.write(`\nWhen all of this is meant:\n  ${command}\n\nNothing was written.\n`);
  }
  return report(session, {
    exit: exitCode.decision,
    diagnostics,
    next: [command],
    data: { decisions: decisionsOf(questions) },
  });
}

export function questionDiagnostics(questions: Questions): Diagnostic[] {
  return [...questions.ambiguities.map(ofAmbiguity), ...openHazards(questions).map(ofHazard)];
}

/** Those that are there whatever the answer to a rename is. */
function openHazards({ ambiguities, unaccepted }: Questions): readonly Hazard[] {
  const unclear = new Set(
    ambiguities.flatMap((it) => [it.target, ...it.renames.map((rename) => newName(it, rename))]),
  );
  return unaccepted.filter(({ target }) => !unclear.has(target));
}

function ofAmbiguity(ambiguity: Ambiguity): Diagnostic {
  const renames = ambiguity.renames.map((rename) => `\`--rename ${rename}\``);
  return {
    code: 'SCF509',
    severity: 'error',
    message: `\`${ambiguity.target}\` is gone from the schema: renamed, or dropped?`,
    help: `${renames.join(' or ')} keeps the data; \`--accept ${dropKey(ambiguity)}\` deletes it.`,
  };
}

function ofHazard(hazard: Hazard): Diagnostic {
  return {
    code: hazard.code,
    severity: 'error',
    message: `\`${hazard.target}\`: ${hazard.message}`,
    help: `\`--accept ${acceptanceKey(hazard)}\` agrees to it.`,
  };
}

function decisionsOf(questions: Questions) {
  return [
    ...questions.ambiguities.map((ambiguity) => ({
      code: 'SCF509',
      target: ambiguity.target,
      answers: [
        ...ambiguity.renames.map((rename) => `--rename ${rename}`),
        `--accept ${dropKey(ambiguity)}`,
      ],
    })),
    ...openHazards(questions).map((hazard) => ({
      code: hazard.code,
      target: hazard.target,
      answers: [`--accept ${acceptanceKey(hazard)}`],
    })),
  ];
}

/** A rename loses nothing, so it is the proposal; each new name is given once. */
function likeliest(questions: Questions): string[] {
  const taken = new Set<string>();
  const renames = questions.ambiguities.flatMap((ambiguity) => {
    const rename = ambiguity.renames.find((it) => !taken.has(newName(ambiguity, it)));
    if (rename === undefined) return ['--accept', dropKey(ambiguity)];
    taken.add(newName(ambiguity, rename));
    return ['--rename', rename];
  });
  const consents = openHazards(questions).flatMap((it) => ['--accept', acceptanceKey(it)]);
  return [...renames, ...consents];
}

/** `Post.heading` of `Post.title=heading`. */
function newName({ target }: Ambiguity, rename: string): string {
  const owner = target.includes('.') ? target.slice(0, target.indexOf('.') + 1) : '';
  return `${owner}${rename.slice(rename.indexOf('=') + 1)}`;
}
