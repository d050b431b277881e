import type { Dice } from '../dice.ts';
import { findAnchor, readAnchors, type Found } from './anchors.ts';

/** What a person does to a file: it can be done to the file of before and to that of after. */
export interface Edit {
  readonly name: string;
  /** Nothing when the place is not there, or is no longer what was edited. */
  readonly apply: (text: string) => string | undefined;
}

export interface Details extends Dice {
  /** What a name is called in the other version. */
  readonly renames: ReadonlyMap<string, string>;
}

export type Kind = (text: string, details: Details) => Edit['apply'] | undefined;

export type Change = (text: string, found: Found, dice: Dice) => string | undefined;

/** An edit of one node, wherever it is, whatever has become of it. */
export function at(select: (found: Found) => boolean, change: Change): Kind {
  return edit(select, change, () => true);
}

/** The same for what can be done to a node only as long as it is what it was. */
export function atSame(select: (found: Found) => boolean, change: Change): Kind {
  return edit(select, change, (found, { text }) => found.text === text);
}

/** The same for what can be done only as long as nothing else is said above it either. */
export function atSameWithComment(select: (found: Found) => boolean, change: Change): Kind {
  return edit(
    select,
    change,
    (found, { text, comment }) => found.text === text && found.comment === comment,
  );
}

/** The same for the comment above a node. */
export function atSameComment(change: Change): Kind {
  return edit(
    ({ comment }) => comment !== '',
    change,
    (found, { comment }) => found.comment === comment,
  );
}

function edit(
  select: (found: Found) => boolean,
  change: Change,
  fits: (found: Found, anchor: Found) => boolean,
): Kind {
  return (text, details) => {
    const places = readAnchors(text).filter(select);
    const anchor = places[details.place % places.length];
    if (!anchor) return undefined;
    const renamed = anchor.path.replace(/\w+/g, (word) => details.renames.get(word) ?? word);
    return (version) => {
      const other = renamed === anchor.path ? undefined : findAnchor(version, { path: renamed });
      const same = findAnchor(version, anchor);
      // Names were swapped or passed on: which of the two is meant cannot be told.
      if (same && other) return undefined;
      const found = same ?? other;
      return found && fits(found, anchor) ? change(version, found, details) : undefined;
    };
  };
}
