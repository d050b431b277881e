import { findLengthFlaw, findPatternFlaw } from '../../patterns/flaw.ts';
import type { Rule } from './facts.ts';
import { forEachField } from './types.ts';

export const patternsAreSafe: Rule = (facts, report) => {
  forEachField(facts, ({ pattern, min, max }, type, path) => {
    if (pattern === undefined || type.pattern === undefined) return;
    const { at, value } = pattern;
    const flaw = findPatternFlaw(value);
    if (flaw !== undefined) {
      const { code, reason, help } = flaw;
      report({ code, at, message: `the pattern of ${path} ${reason}`, help });
      return;
    }
    const misfit = findLengthFlaw(value, Number(min?.value ?? 0), Number(max?.value ?? Infinity));
    if (misfit === undefined) return;
    report({
      code: 'SCF205',
      at,
      message: `the pattern of ${path} ${misfit}`,
      help: 'no text could be both: change the pattern or the range',
    });
  });
};
