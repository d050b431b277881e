import type { Pick } from './pick.ts';

/** What the models of one schema know of each other while it is drawn. */
export interface World {
  readonly pick: Pick;
  readonly enums: Readonly<Record<string, readonly string[]>>;
  readonly roles: readonly string[];
  /** In file order; a required key points backwards only, so that rows can always be made. */
  readonly models: readonly string[];
  /** The model that every user has to point to, so that none of its rows has to point to a user. */
  readonly home: string | undefined;
  /** The model that holds the pairs of two others, and comes after them. */
  readonly join: Join | undefined;
  /** Names that a model was given by relations of other models, for their other side. */
  readonly taken: Map<string, Set<string>>;
  /** What strangers may do with the models that were drawn: `Post.update`. */
  readonly open: Set<string>;
}

export interface Join {
  readonly model: string;
  readonly left: string;
  readonly right: string;
}
