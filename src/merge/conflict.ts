/** Two changes to the same thing. Texts are as they stand between the markers; an absent side is empty. */
export interface Conflict {
  /** What it is about: `addRoutes › app.register( "./posts"`. */
  readonly where: string;
  /** Line of the opening marker in the merged text, from 1. */
  readonly line: number;
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
  /** Of a text that is not made any more: the file in which its declaration is now. */
  readonly now?: string | undefined;
}

/** How the three sides are called in the markers. */
export interface Labels {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

export interface Merged {
  readonly text: string;
  readonly conflicts: readonly Conflict[];
}

export interface ThreeTexts {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}
