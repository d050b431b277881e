import * as fc from 'fast-check';
import { schemaSteps } from '../../merge/support/changed-files.ts';
import type { TreeSample } from './tree-trial.ts';

export const steps = schemaSteps();

const throws = fc.record({ kind: fc.nat(1000), place: fc.nat(1000), detail: fc.nat(96) });

/** Changes of a schema, each with edits of so many files. */
export function samples(among: TreeSample['among'], files: number): fc.Arbitrary<TreeSample> {
  return fc.record({
    step: fc.constantFrom(...steps),
    files: fc.array(
      fc.record({ at: fc.nat(), dice: fc.array(throws, { minLength: 1, maxLength: 3 }) }),
      { minLength: files, maxLength: files },
    ),
    among: fc.constant(among),
  });
}
