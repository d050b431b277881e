// prettier-ignore
const hidden = [
  'type', 'value', 'let', 'given', 'member', 'call', 'object', 'head', 'text', 'comment', 'setting',
] as const;
/** Kinds that are printed in front of the name. */
// prettier-ignore
const shown = [
  'import', 'export', 'module', 'constructor', 'function', 'set', '...', 'return', 'throw', 'try',
  'if', 'switch', 'for', 'while', 'case', 'default',
] as const;

/** What tells an item from its neighbours. */
export interface ItemKey {
  readonly kind: (typeof hidden | typeof shown)[number];
  /** In tokens. */
  readonly name: readonly string[];
  /** The first argument of a call, as far as it is known. */
  readonly given?: readonly string[];
}

/** To an item, from the outermost one around it. */
export type Way = readonly ItemKey[];

/** Equal for equal keys; `spell` gives their tokens new names. */
export function identityOf(
  { kind, name, given }: ItemKey,
  spell = (token: string) => token,
): string {
  const words = given ? [...name, '(', ...given] : name;
  return `${kind} ${words.map(spell).join(' ')}`;
}

interface Keyed {
  readonly key: ItemKey;
}

export const hasSameKey = (left: Keyed, right: Keyed) =>
  identityOf(left.key) === identityOf(right.key);

export const tokensOfKey = ({ name, given = [] }: ItemKey): readonly string[] => [
  ...name,
  ...given,
];

/** For people: `postRoutes › app.post("/:id/restore"`. */
export function printWay(way: Way): string {
  const steps: string[] = [];
  for (const { kind, name, given = [] } of way) {
    const words = [
      ...shown.filter((it) => it === kind),
      ...name,
      ...(given.length > 0 ? ['(', ...given] : []),
    ];
    const step = words
      .join(' ')
      .replace(/ ?([.(),]) ?/g, '$1')
      .replace(/\($/, '');
    // A bracket is not a name, and a statement with one declaration has that one's.
    if (/\w/.test(step) && steps.at(-1) !== step) steps.push(step);
  }
  return steps.join(' › ');
}
