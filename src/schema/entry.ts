import type { Operation } from './language.ts';

/** An entry of a rule admits somebody, perhaps on a condition. With `only`, it restricts other entries. */
export type Entry = Who & {
  readonly only?: true;
  readonly if?: readonly Comparison[];
  /** The condition after `then`, which the changed row has to meet. */
  readonly after?: readonly Comparison[];
};

export type Who =
  | { readonly kind: (typeof whoKinds)[number] }
  | { readonly kind: 'role'; readonly role: string }
  /** Members of the row with one of these roles, or with any role if the list is empty. */
  | { readonly kind: 'members'; readonly word: string; readonly roles: readonly string[] }
  /** Users who are members of a row of `model` of which the viewer is a member too. */
  | { readonly kind: 'shares'; readonly model: string }
  /** The user that a relation leads to. */
  | { readonly kind: 'is'; readonly relation: string }
  /** Everybody who may do the same, or the named operation, with the target of the relation. */
  | { readonly kind: 'via'; readonly relation: string; readonly operation?: Operation };

/** Whether an entry is of one of these kinds. */
export const isOfKind = ({ kind }: Who, ...kinds: readonly Who['kind'][]) => kinds.includes(kind);

/** Whether an entry without a condition admits to some rows only. */
export const dependsOnRow = (entry: Who) => !isOfKind(entry, 'public', 'authenticated', 'role');

export const hasCondition = ({ if: condition, after }: Pick<Entry, 'if' | 'after'>) =>
  condition !== undefined || after !== undefined;

/** `survey.status = open`. `is null` and `is not null` have no values. */
export interface Comparison {
  /** Relations to a field, or to a relation (whose key is compared). */
  readonly path: readonly string[];
  readonly operator: (typeof comparisons)[number];
  readonly values: readonly Operand[];
}

export type Operand =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'now' }
  /** A value of the viewer's row, or of a row that it leads to. */
  | { readonly kind: 'me'; readonly path: readonly string[] };

export const signs = ['=', '!=', '<', '<=', '>', '>='] as const;

export const comparisons = [...signs, 'in', 'is null', 'is not null'] as const;

/** `link` admits everybody who has the secret link of a row. */
export const whoKinds = ['public', 'authenticated', 'owner', 'self', 'link'] as const;

/** Words of the language, which cannot be roles. */
const entryWords = 'is via only if then shares'.split(' ');
export const accessKeywords: readonly string[] = [...whoKinds, ...entryWords];

export function whoCalled(word: string): Who {
  const kind = whoKinds.find((name) => name === word);
  return kind === undefined ? { kind: 'role', role: word } : { kind };
}
