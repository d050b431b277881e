import { findPatternFlaw } from '../pattern-flaw.ts';
import type { Rule } from './facts.ts';
import { forEachField } from './types.ts';

export const patternsAreSafe: Rule = (facts, report) => {
  forEachField(facts, ({ pattern }, type, path) => {
    if (pattern === undefined || type.pattern === undefined) return;
    const flaw = findPatternFlaw(pattern.value);
    if (flaw === undefined) return;
    report({
      code: flaw.code,
      at: pattern.at,
      message: `the pattern of ${path} ${flaw.reason}`,
      help: flaw.help,
    });
  });
};
