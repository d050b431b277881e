import type { ItemKey } from './key.ts';

/** A parsed text, in a form that is the same for every language. */
export interface Tree {
  readonly source: Source;
  readonly root: List;
  readonly names: DeclaredAndUsed;
}

/** How to read a language. Its functions return undefined for a text with syntax errors. */
export interface Language {
  readonly parse: (text: string) => Tree | undefined;
  /** The names of the tree, without building it. */
  readonly readNames: (text: string) => DeclaredAndUsed | undefined;
  /** Base and theirs with the names that the owner chose; undefined if no name can be replaced. */
  readonly respell?: (trees: Three<Tree>, names: readonly OwnerRename[]) => Three<Tree> | undefined;
  /**
   * Ours with the imports of undeclared names that theirs has, and without unneeded imports that the owner did not
   * change; undefined if that changes nothing.
   */
  readonly repairImports?: (trees: Three<Tree>, names: NamesToRepair) => Tree | undefined;
}

export interface NamesToRepair {
  readonly undeclared: ReadonlySet<string>;
  /** Names whose declaration theirs removed and that nothing else uses. */
  readonly unneeded: ReadonlySet<string>;
}

export interface Three<T> {
  readonly base: T;
  readonly ours: T;
  readonly theirs: T;
}

/** A declaration that the owner renamed, and its scope. */
export interface OwnerRename {
  readonly names: Three<string>;
  readonly within: Three<Span>;
}

export interface DeclaredAndUsed {
  /** In any scope. */
  readonly declared: ReadonlySet<string>;
  readonly used: ReadonlySet<string>;
  /** Names that the file itself declares more than once. */
  readonly declaredTwice: readonly string[];
}

export interface Source {
  readonly text: string;
  /** In the order of the text, with comments. */
  readonly tokens: readonly Token[];
  /** Start offsets of lines inside template literals, whose indentation is content. */
  readonly frozenLines: ReadonlySet<number>;
}

/** `text` leaves out what formatters change: the kind of quotes, the indentation of a comment. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A part of a text that is merged as a unit. A leaf is merged as text. */
export type Node = (Span & { readonly kind: 'leaf' }) | Parts | List;

/** Merged part by part, by the roles of the parts. `isWhole`: one side is taken as a whole. */
export interface Parts extends Span {
  readonly kind: 'parts';
  /** Nodes of different types are not merged part by part. */
  readonly type: string;
  /** The name of the called function. */
  readonly name?: string;
  readonly parts: readonly Part[];
  /** A single call as a chain, for a merge with a longer chain. */
  readonly chain?: List;
  readonly isWhole?: boolean;
}

export interface Part {
  readonly role: string;
  /** Keywords and punctuation before this part. */
  readonly gap: Span;
  readonly node: Node;
}

/** Merged item by item. */
export interface List extends Span {
  readonly kind: 'list';
  readonly rule: ListRule;
  /** The expression that a chain begins with. */
  readonly name?: string;
  readonly inner: Span;
  /** Whether it has brackets only if there are several items: the parameters of an arrow function. */
  readonly isBare?: boolean;
  /** The span in which the names of its items are declared: a block, or the function of a parameter. */
  readonly scope?: Span;
  readonly isWhole?: boolean;
  readonly items: readonly Item[];
}

export interface ListRule {
  /** `.` separates the calls of a chain. */
  readonly separator: '' | ',' | ';' | '|' | '.';
  /** In a `fixed` list, a change of the order is merged as text if it moves items whose order matters. */
  readonly order: 'free' | 'fixed';
  /** Whether unmatched items may be matched by position, as arguments are. */
  readonly byPosition: boolean;
  /** Whether two sides may insert different items at the same place. */
  readonly allowsBothNew: boolean;
}

export interface Item {
  readonly key: ItemKey;
  /** A weaker key, for an item that its owner renamed. */
  readonly alias?: ItemKey;
  readonly declares?: 'value' | 'type';
  readonly node: Node;
  /** The item with its comments, its separator and the comment after it on the same line. */
  readonly full: Span;
  readonly separator?: Span;
  readonly bindings: readonly Binding[];
  /** Whether its order among its neighbours matters. */
  readonly isOrdered: boolean;
  /** Whether it may leave the block: `return`, `throw`. */
  readonly mayExit: () => boolean;
  /** Imports that both sides added are merged into one. */
  readonly isImport: boolean;
}

/** For items that declare nothing and may stand anywhere. */
export const unnamedItem = {
  bindings: [],
  isOrdered: false,
  mayExit: () => false,
  isImport: false,
};

/** For a language without names. */
export const noNames: DeclaredAndUsed = { declared: new Set(), used: new Set(), declaredTwice: [] };

/** A name that an item declares. */
export interface Binding {
  readonly name: string;
  /** The imported name, or the property taken from an object. */
  readonly of: string;
}

/** The name as written. The name of a type has the prefix `type `, so that a value may share it. */
export const bareName = ({ name }: Binding) => name.replace(/^type /, '');

export const boundNames = ({ bindings }: Item) => bindings.map(({ name }) => name);

/** All nodes below a node, outermost first. */
export function nodesIn(node: Node): Node[] {
  if (node.kind === 'leaf') return [];
  const inner = node.kind === 'parts' ? node.parts : node.items;
  return inner.flatMap((it) => [it.node, ...nodesIn(it.node)]);
}

/** Whether an item is a comment that belongs to no other item. */
export function isComment({ key }: Item): boolean {
  return key.kind === 'comment';
}
