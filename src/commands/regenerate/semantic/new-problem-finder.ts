import { takeTheirsInPlace } from '../../../merge/markers.ts';
import { isCodeFile, isDeclarationFile } from '../../../project/code-files.ts';
import type { Texts } from '../../../project/disk.ts';
import { readMoves } from '../../../project/plan.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import type { TypeCheck, TypeProblem } from '../../../system/project-compiler.ts';
import { listConflicted, readWith } from './places.ts';

/**
 * Finds what type-checks on disk but not with these texts. While a file has conflicts, other files are checked with the
 * schema's side of each; problems in the file itself come later.
 */
export function makeNewProblemFinder(
  check: TypeCheck,
  { disk }: Pick<Project, 'disk'>,
  { plan, nextTexts, spellings }: Pick<Regeneration, 'plan' | 'nextTexts' | 'spellings'>,
): TypeCheck {
  const { movedTo } = readMoves(plan);
  const open = new Set(
    [...listConflicted(plan)].filter((path) => isCodeFile(path) || isDeclarationFile(path)),
  );
  const renamed = (text: string) => text.replace(/[\w$]+/g, (word) => spellings.get(word) ?? word);
  /** The same text for a problem that a rename or other lines have moved. */
  const identify = (problem: TypeProblem, texts: Texts): ProblemIdentity => {
    const text = readWith(disk, texts)(problem.path) ?? '';
    const line = text.split('\n')[problem.line - 1]?.trim() ?? '';
    const path = movedTo.get(problem.path) ?? problem.path;
    const what = renamed([path, problem.code, problem.message].join('\n'));
    return { what, line: renamed(line) };
  };
  const none: Texts = new Map();
  let former: readonly ProblemIdentity[] | undefined;
  return async (texts) => {
    const { taken, problems } = await checkTheirs(check, texts, { open, nextTexts });
    const found = problems.filter(({ path }) => !open.has(path));
    if (found.length === 0) return [];
    former ??= (await check(none)).map((problem) => identify(problem, none));
    return withoutFormer(found, former, (problem) => identify(problem, taken));
  };
}

/** If a file with conflicts does not parse with the schema's side of each, takes the whole file from that side. */
async function checkTheirs(
  check: TypeCheck,
  texts: Texts,
  { open, nextTexts }: { readonly open: ReadonlySet<string>; readonly nextTexts: Texts },
) {
  const taken: Texts = new Map(
    [...texts].map(([path, text]) => [
      path,
      open.has(path) && text ? takeTheirsInPlace(text) : text,
    ]),
  );
  const problems = await check(taken);
  const unparsed = new Set(
    problems.filter((it) => open.has(it.path) && isSyntax(it)).map(({ path }) => path),
  );
  if (unparsed.size === 0) return { taken, problems };
  const whole: Texts = new Map(
    [...taken].map(([path, text]) => [path, unparsed.has(path) ? nextTexts.get(path) : text]),
  );
  return { taken: whole, problems: await check(whole) };
}

/** With a syntax error, the compiler reports nothing else. */
export function isSyntax({ code }: TypeProblem): boolean {
  return /^TS1\d{3}$/.test(code);
}

interface ProblemIdentity {
  /** The file and the message. */
  readonly what: string;
  readonly line: string;
}

/** Removes as many problems of each kind as there were before, first on the same line, then on edited lines. */
function withoutFormer(
  found: readonly TypeProblem[],
  former: readonly ProblemIdentity[],
  identify: (problem: TypeProblem) => ProblemIdentity,
): readonly TypeProblem[] {
  const left = [...former];
  const takeAway =
    (isSame: (was: ProblemIdentity, is: ProblemIdentity) => boolean) => (problem: TypeProblem) => {
      const is = identify(problem);
      const index = left.findIndex((was) => was.what === is.what && isSame(was, is));
      if (index >= 0) left.splice(index, 1);
      return index < 0;
    };
  return found
    .filter(takeAway((was, is) => was.line === is.line))
    .filter(takeAway((was, is) => isAlike(was.line, is.line)));
}

/** Whether two lines share more than half of their words. */
function isAlike(left: string, right: string): boolean {
  const [some = [], others = []] = [left, right]
    .map((line) => line.match(/[\w$]+/g) ?? [])
    .toSorted((one, other) => other.length - one.length);
  const known = new Set(others);
  return some.filter((word) => known.has(word)).length * 2 > some.length;
}
