/** One thing that is wrong with a schema file, placed at the exact token. */
export interface Problem {
  /** Stable: `SCF201`. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly position: Position;
  /** How to go on: the nearest valid name, the valid set. */
  readonly help?: string;
}

/** One-based; `length` is that of the token, in characters, for the caret. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** The long form of an error. Examples are schemas; `version` and `app` are left out where they do not matter. */
export interface Explanation {
  readonly title: string;
  readonly explanation: string;
  readonly bad: string;
  readonly good: string;
}
