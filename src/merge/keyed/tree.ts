import type { ItemKey } from './key.ts';

/** A parsed text in the form that a merge uses for every language. */
export interface Tree {
  readonly source: Source;
  readonly root: List;
  readonly names: Names;
}

/** How a language is read; nothing when a text is not in it. */
export interface Language {
  readonly parse: (text: string) => Tree | undefined;
  /** The same as the names of the tree, but cheaper. */
  readonly readNames: (text: string) => Names | undefined;
  /** The new output and its base with names that the owner chose; nothing when none of them can be given. */
  readonly respell?: (trees: Three<Tree>, names: readonly OwnName[]) => Three<Tree> | undefined;
  /**
   * Mine with the imports that theirs has of the names it misses, and without those of idle ones that are as they were
   * made; nothing when it is so.
   */
  readonly repairImports?: (trees: Three<Tree>, names: ImportedNames) => Tree | undefined;
}

export interface ImportedNames {
  /** Names used but no longer declared. */
  readonly lost: ReadonlySet<string>;
  /** Names declared for what theirs no longer has, and used by nothing else. */
  readonly idle: ReadonlySet<string>;
}

export interface Three<T> {
  readonly base: T;
  readonly mine: T;
  readonly theirs: T;
}

/** What has another name in mine, in a block or a function that declares it. */
export interface OwnName {
  readonly names: Three<string>;
  readonly within: Three<Span>;
}

export interface Names {
  /** Declared anywhere. */
  readonly bound: ReadonlySet<string>;
  readonly used: ReadonlySet<string>;
  /** Declared more than once by the file itself. */
  readonly doubled: readonly string[];
}

export interface Source {
  readonly text: string;
  /** In order of their place; comments are among them. */
  readonly tokens: readonly Token[];
  /** Starts of the lines whose indentation is content: those inside template literals. */
  readonly frozenLines: ReadonlySet<number>;
}

/** Its text is without what a formatter may change: the kind of quotes, the indentation of a comment. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A stretch of source that is compared and merged as a unit; a leaf is merged as text. */
export type Node = (Span & { readonly kind: 'leaf' }) | Parts | List;

/** Merged part by part: the parts have fixed roles. `isWhole`: taken from one side, never mixed. */
export interface Parts extends Span {
  readonly kind: 'parts';
  /** Parts of different types are not compared part by part. */
  readonly type: string;
  /** What gives the parts their meaning: of a call, what is called. */
  readonly name?: string;
  readonly parts: readonly Part[];
  /** A call as a chain of one, where another side may have more. */
  readonly chain?: List;
  readonly isWhole?: boolean;
}

export interface Part {
  readonly role: string;
  /** Keywords and punctuation between the part before and this one. */
  readonly gap: Span;
  readonly node: Node;
}

/** Merged item by item. */
export interface List extends Span {
  readonly kind: 'list';
  readonly rule: ListRule;
  /** What gives the items their meaning: of a chain, what it begins with. */
  readonly name?: string;
  /** What lies between the brackets. */
  readonly inner: Span;
  /** Whether it has brackets unless there is one item: the parameters of an arrow. */
  readonly isBare?: boolean;
  /** Where the names hold that its items declare, if they are its own: a block, or the function of a parameter. */
  readonly scope?: Span;
  readonly isWhole?: boolean;
  readonly items: readonly Item[];
}

export interface ListRule {
  /** `.`: the calls of a chain. */
  readonly separator: '' | ',' | ';' | '|' | '.';
  /** `fixed`: an order that one side changed is merged as text, as far as items that mind are concerned. */
  readonly order: 'free' | 'fixed';
  /** Whether an item of one side may take the place of an unmatched one of the other: arguments know no names. */
  readonly byPlace: boolean;
  /** Whether two sides may insert different items at the same place. */
  readonly together: boolean;
}

export interface Item {
  readonly key: ItemKey;
  /** Weaker, for an item that its owner renamed. */
  readonly alias?: ItemKey;
  readonly declares?: 'value' | 'type';
  readonly node: Node;
  /** With the comments that belong to it, its separator, and the comment behind on the same line. */
  readonly full: Span;
  readonly separator?: Span;
  readonly binds: readonly Bound[];
  /** Whether its place among its neighbours has a meaning. */
  readonly placed: boolean;
  /** Whether what follows it may not be reached. */
  readonly leaves: () => boolean;
  /** Whether two of them that were both added are united: imports from one module. */
  readonly unites: boolean;
}

/** Of an item that declares nothing, and stands anywhere. */
export const unnamed = { binds: [], placed: false, leaves: () => false, unites: false };

/** Of a language without any. */
export const noNames: Names = { bound: new Set(), used: new Set(), doubled: [] };

/** A name that an item declares. */
export interface Bound {
  readonly name: string;
  /** What the name refers to: the import, or the property taken from an object. */
  readonly of: string;
}

/** The name as it is written: that of a type begins with `type`, so that a value may have the same. */
export const bareName = ({ name }: Bound) => name.replace(/^type /, '');

export const bound = ({ binds }: Item) => binds.map(({ name }) => name);

/** All that is below a node, outermost first. */
export function nodesIn(node: Node): Node[] {
  if (node.kind === 'leaf') return [];
  const inner = node.kind === 'parts' ? node.parts : node.items;
  return inner.flatMap((it) => [it.node, ...nodesIn(it.node)]);
}

/** Whether an item is a comment that belongs to no other. */
export function isComment({ key }: Item): boolean {
  return key.kind === 'comment';
}

/** The tokens of a span. The end of a statement has no width, and counts between two. */
export function tokensIn(source: Source, span: Span): readonly string[] {
  return tokensWithin(source, span).map(({ text }) => text);
}

export function commentsIn(source: Source, span: Span): readonly Token[] {
  return tokensWithin(source, span).filter(({ text }) => isCommentText(text));
}

export const isCommentText = (text: string) => /^\/[/*]/.test(text);

function tokensWithin({ tokens }: Source, { start, end }: Span): readonly Token[] {
  const found: Token[] = [];
  for (let index = firstFrom(tokens, start); index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!token || token.start >= end) break;
    const isInside = token.start === token.end ? token.start > start : token.end <= end;
    if (isInside) found.push(token);
  }
  return found;
}

function firstFrom(tokens: readonly Token[], start: number): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.start ?? start) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
