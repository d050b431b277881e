import type { Operation } from './language.ts';

/** An entry of a rule admits somebody, perhaps on a condition. One with `only` narrows down whom the others admit. */
export type Entry = Who & {
  readonly only?: true;
  readonly if?: readonly Comparison[];
  /** What follows `then`: a condition on the row after the change. */
  readonly after?: readonly Comparison[];
};

export type Who =
  | { readonly kind: (typeof whoKinds)[number] }
  | { readonly kind: 'role'; readonly role: string }
  /** Members of the row with one of these roles; with any role when the list is empty. */
  | { readonly kind: 'members'; readonly word: string; readonly roles: readonly string[] }
  /** Users who are members of a row of the model of which the viewer is one. */
  | { readonly kind: 'shares'; readonly model: string }
  /** The user to whom a relation leads. */
  | { readonly kind: 'is'; readonly relation: string }
  /** Whoever may do this, or the named operation, with the target of the relation. */
  | { readonly kind: 'via'; readonly relation: string; readonly operation?: Operation };

/** Whether an entry is of one of these kinds. */
export const isOfKind = ({ kind }: Who, ...kinds: readonly Who['kind'][]) => kinds.includes(kind);

/** Whether an entry admits to some rows, and not to others, even without a condition. */
export const dependsOnRow = (entry: Who) => !isOfKind(entry, 'public', 'authenticated', 'role');

/** Whether an entry admits only while something holds. */
export const hasCondition = ({ if: condition, after }: Pick<Entry, 'if' | 'after'>) =>
  condition !== undefined || after !== undefined;

/** `survey.status = open`; without values, `is null` and its opposite. */
export interface Comparison {
  /** Over relations to a field, or to a relation, whose key is compared. */
  readonly path: readonly string[];
  readonly operator: (typeof comparisons)[number];
  readonly values: readonly Operand[];
}

export type Operand =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'now' }
  /** A value of the viewer's own row, or of a row to which it leads. */
  | { readonly kind: 'me'; readonly path: readonly string[] };

export const signs = ['=', '!=', '<', '<=', '>', '>='] as const;

export const comparisons = [...signs, 'in', 'is null', 'is not null'] as const;

/** `link` admits people who have the secret link of the row. */
export const whoKinds = ['public', 'authenticated', 'owner', 'self', 'link'] as const;

/** Words with a meaning of their own, which can be no role. */
const entryWords = 'is via only if then shares'.split(' ');
export const accessKeywords: readonly string[] = [...whoKinds, ...entryWords];

export function whoCalled(word: string): Who {
  const kind = whoKinds.find((name) => name === word);
  return kind === undefined ? { kind: 'role', role: word } : { kind };
}
