// prettier-ignore
const unprintedKinds = [
  'type', 'value', 'let', 'given', 'member', 'call', 'object', 'head', 'text', 'comment', 'setting',
] as const;
/** Kinds that are printed in front of the name. */
// prettier-ignore
const printedKinds = [
  'import', 'export', 'module', 'constructor', 'function', 'set', '...', 'return', 'throw', 'try',
  'if', 'switch', 'for', 'while', 'case', 'default',
] as const;

/** Identifies an item among its neighbours. */
export interface ItemKey {
  readonly kind: (typeof unprintedKinds | typeof printedKinds)[number];
  /** In tokens. */
  readonly name: readonly string[];
  /** The first argument of a call, if it identifies the call. */
  readonly argument?: readonly string[];
}

/** The keys from the outermost item to an inner one. */
export type ItemPath = readonly ItemKey[];

/** The same text for equal keys. `spell` renames tokens first. */
export function keyText(
  { kind, name, argument }: ItemKey,
  spell = (token: string) => token,
): string {
  const words = argument ? [...name, '(', ...argument] : name;
  return `${kind} ${words.map(spell).join(' ')}`;
}

interface Keyed {
  readonly key: ItemKey;
}

export const hasSameKey = (left: Keyed, right: Keyed) => keyText(left.key) === keyText(right.key);

export const tokensOfKey = ({ name, argument = [] }: ItemKey): readonly string[] => [
  ...name,
  ...argument,
];

/** A path as people read it: `postRoutes › app.post("/:id/restore"`. */
export function printItemPath(path: ItemPath): string {
  const steps: string[] = [];
  for (const { kind, name, argument = [] } of path) {
    const words = [
      ...printedKinds.filter((it) => it === kind),
      ...name,
      ...(argument.length > 0 ? ['(', ...argument] : []),
    ];
    const step = words
      .join(' ')
      .replace(/ ?([.(),]) ?/g, '$1')
      .replace(/\($/, '');
    // Leaves out brackets, and a statement that has the name of its only declaration.
    if (/\w/.test(step) && steps.at(-1) !== step) steps.push(step);
  }
  return steps.join(' › ');
}
