import { accessCodes } from './codes/access.ts';
import { fieldCodes } from './codes/fields.ts';
import { relationCodes } from './codes/relations.ts';
import { syntaxCodes } from './codes/syntax.ts';
import type { Explanation } from './problem.ts';

export type { Explanation };

/** Every code that a schema file can raise. A code never changes its meaning. */
export const codes: Readonly<Record<string, Explanation>> = {
  ...syntaxCodes,
  ...fieldCodes,
  ...relationCodes,
  ...accessCodes,
};
