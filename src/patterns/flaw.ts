import { inTicks } from '../words.ts';
import { readPattern } from './pattern.ts';
import { type Slowness, measureSlowness } from './slowness.ts';

interface PatternFlaw {
  readonly code: 'SCF208' | 'SCF209';
  /** Continues the sentence "the pattern of Post.slug …". */
  readonly reason: string;
  readonly help: string;
}

const longestPattern = 1000;

/** The number of characters in the longest request. Validators also run patterns on texts that are too long. */
const longestText = 262_144;

/** The number of steps that one text may take: about a tenth of a second. */
const mostSteps = 20_000_000;

/** Undefined if the source is a pattern and no text keeps the server busy. */
export function findPatternFlaw(source: string): PatternFlaw | undefined {
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
    .map((trial) => slownessFlaw(measureSlowness(trial, longestText)))
    .find((flaw) => flaw !== undefined);
}

function slownessFlaw({ steps, loops }: Slowness): PatternFlaw | undefined {
  if (steps <= mostSteps) return undefined;
  const [first, ...others] = inTicks(loops);
  if (steps === Infinity) {
    return {
      code: 'SCF209',
      reason: `could run for years: ${first ?? 'it'} can match one text in countless ways`,
      help: 'let each text be matched in one way only: write `a+` for `(a+)+`, `[ab]*` for `(a|b|ab)*`',
    };
  }
  const why =
    others.length === 0
      ? `${first ?? 'it'} is tried again from each character on`
      : `${first ?? 'it'} and ${others.join(' and ')} can share it in many ways`;
  return {
    code: 'SCF209',
    reason: `could run for minutes on a long text: ${why}`,
    help: 'begin with `^`, and put between two loops what neither of them takes',
  };
}

/** Matches anywhere in the text, as JSON Schema does. Never run a pattern with a flaw. */
export function matchesPattern(source: string, text: string): boolean {
  return findPatternFlaw(source) !== undefined || new RegExp(source, 'u').test(text);
}

/** Why no text of these lengths matches; undefined if there may be one. */
export function findLengthFlaw(source: string, min: number, max: number): string | undefined {
  const pattern = findPatternFlaw(source) === undefined ? readPattern(source) : undefined;
  if (pattern === undefined || 'reason' in pattern) return undefined;
  if (pattern.shortest > max) return `needs ${pattern.shortest} characters, and ${max} are allowed`;
  if (pattern.longest < min) return `ends at ${pattern.longest} characters, and ${min} are needed`;
  return undefined;
}
