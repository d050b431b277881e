import type { Pick } from './pick.ts';

/** What the models of one schema know of each other while it is drawn. */
export interface World {
  readonly pick: Pick;
  readonly enums: Readonly<Record<string, readonly string[]>>;
  readonly roles: readonly string[];
  /** In file order; a required key points backwards only, so that rows can always be made. */
  readonly models: readonly string[];
  /** Names that a model was given by relations of other models, for their other side. */
  readonly taken: Map<string, Set<string>>;
}
