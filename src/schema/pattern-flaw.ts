import { readPattern } from './pattern.ts';
import { slownessOf, type Slowness } from './pattern-slowness.ts';

export interface PatternFlaw {
  readonly code: 'SCF208' | 'SCF209';
  /** Goes on after "the pattern of Post.slug". */
  readonly reason: string;
  readonly help: string;
}

const longestPattern = 1000;

/** Characters of a request's body, for a text without `max`. */
const longestRequest = 262_144;

/** Steps that may be spent on one text: about a tenth of a second. */
const mostSteps = 10_000_000;

/** Whether it is a pattern, and whether no text of the length allowed keeps the server busy. */
export function findPatternFlaw(
  source: string,
  maxLength = longestRequest,
): PatternFlaw | undefined {
  if (source.length > longestPattern) {
    const reason = `has ${source.length} characters, more than ${longestPattern}`;
    return { code: 'SCF208', reason, help: 'would an enum do?' };
  }
  const pattern = readPattern(source);
  if ('reason' in pattern) {
    return {
      code: 'SCF208',
      reason: `is not a regular expression: ${pattern.reason}`,
      help: 'it is read as JavaScript does with the flag `u`, where only what needs a backslash may have one',
    };
  }
  if (pattern.backreference !== undefined) {
    return {
      code: 'SCF209',
      reason: `refers back by \`${pattern.backreference}\`, and the time that takes has no bound`,
      help: 'spell out what may be repeated',
    };
  }
  return pattern.trials
    .map((trial) => flawOf(slownessOf(trial), maxLength))
    .find((flaw) => flaw !== undefined);
}

function flawOf({ degree, loops }: Slowness, maxLength: number): PatternFlaw | undefined {
  const [first, ...others] = loops.map((loop) => `\`${loop}\``);
  if (degree === Infinity) {
    return {
      code: 'SCF209',
      reason: `could run for years: ${first ?? 'it'} can match one text in countless ways`,
      help: 'let each text be matched in one way only: write `a+` for `(a+)+`, `[ab]*` for `(a|b|ab)*`',
    };
  }
  if (degree === 1 || maxLength ** degree <= mostSteps) return undefined;
  const where =
    others.length === 0
      ? `${first ?? 'it'} starts anew at each of them`
      : `${first ?? 'it'} and ${others.join(' and ')} can share them`;
  return {
    code: 'SCF209',
    reason: `could take ${maxLength}${degree === 2 ? '²' : `^${degree}`} steps for ${maxLength} characters: ${where}`,
    help: 'begin with `^`, put between the loops what neither of them takes, or set a small `max`',
  };
}

/** As JSON Schema has it: somewhere in the text, unless anchored. A pattern with a flaw is not run. */
export function matchesPattern(source: string, text: string): boolean {
  return findPatternFlaw(source, text.length) !== undefined || new RegExp(source, 'u').test(text);
}
