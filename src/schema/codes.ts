import { accessCodes } from './codes/access.ts';
import { fieldCodes } from './codes/fields.ts';
import { relationCodes } from './codes/relations.ts';
import { syntaxCodes } from './codes/syntax.ts';

/** The long form of an error. Examples are schemas, whose first lines (`version`, `app`) are left out where they do not matter. */
export interface Explanation {
  readonly title: string;
  readonly explanation: string;
  readonly bad: string;
  readonly good: string;
}

/** Every code that a schema file can raise. A code never changes its meaning. */
export const codes: Readonly<Record<string, Explanation>> = {
  ...syntaxCodes,
  ...fieldCodes,
  ...relationCodes,
  ...accessCodes,
};
