/** The long form of an error. Examples are schemas; `version` and `app` are left out where they do not matter. */
export interface Explanation {
  readonly title: string;
  readonly explanation: string;
  readonly bad: string;
  readonly good: string;
}
