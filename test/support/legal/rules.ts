import * as fc from 'fast-check';
import { type Document, oneIn, some } from './pick.ts';
import type { World } from './world.ts';

interface Ruled {
  /** Words that a rule may have here, besides roles. */
  readonly words: readonly string[];
  readonly isHidden?: boolean;
  /** Not by clients. */
  readonly isUnwritten?: boolean;
  /** Whoever makes a row has to write it. */
  readonly isRequired?: boolean;
}

/** Who else sees and writes a value, of some of them. */
export function rulesDocument({ pick, roles }: World, ruled: Ruled): Document {
  const words = ['public', 'authenticated', 'admin', ...roles, ...ruled.words];
  const rule = (legal: readonly string[]) => {
    const admitted = some(pick, legal, { least: 1, most: 3 });
    return admitted.length === 1 && pick(fc.boolean) ? admitted[0] : admitted;
  };
  return {
    ...(oneIn(pick, 6) && ruled.isHidden !== true && { read: rule(words) }),
    ...(oneIn(pick, 6) &&
      ruled.isUnwritten !== true && { write: rule(ruled.isRequired ? ['public'] : words) }),
  };
}
