import { present } from '../present.ts';
import type { Located } from './language.ts';
import type { Position, Problem } from './problem.ts';
import type { PlacedFlaw } from './shorthand.ts';
import { type SchemaNode, locatePart, type ScalarNode } from './source.ts';

/** The path of a value (`Post.author`), and where to report its problems. */
export interface Scope {
  readonly path: string;
  readonly report: ReportProblem;
}

export type ReportProblem = (problem: {
  readonly code: string;
  readonly at: Position;
  readonly message: string;
  readonly help?: string;
  /** The default is an error. */
  readonly severity?: Problem['severity'];
}) => void;

/** A problem without its position. */
export interface Flaw {
  readonly message: string;
  readonly help: string;
}

/** The first flaw of a list whose condition holds. */
export function findFlaw(
  flaws: readonly (readonly [isThere: boolean, message: string, help: string])[],
): Flaw | undefined {
  const [, message, help] = flaws.find(([isThere]) => isThere) ?? [];
  return message === undefined || help === undefined ? undefined : { message, help };
}

export type CodedFlaw = Flaw & { readonly code: string };

export const isFlaw = <Thing extends object>(found: Thing | Flaw): found is Flaw =>
  'message' in found;

export function scopeInside(scope: Scope, name: string): Scope {
  return { ...scope, path: scope.path === '' ? name : `${scope.path}.${name}` };
}

export function makeReporter(problems: Problem[]): ReportProblem {
  return ({ code, at, message, help, severity = 'error' }) =>
    problems.push({ code, severity, message, position: at, ...present({ help }) });
}

export const pathName = (scope: Scope) => (scope.path === '' ? 'the file' : scope.path);

export function reportUnknownKey(
  { at }: SchemaNode,
  { path, report }: Scope,
  name: string,
  help: string,
) {
  const message = `unknown key \`${name}\`${path === '' ? '' : ` in ${path}`}`;
  report({ code: 'SCF102', at, message, help });
}

export function reportFlaw(
  code: string,
  { at, message, help }: PlacedFlaw,
  node: ScalarNode,
  { path, report }: Scope,
): void {
  report({ code, at: locatePart(node, at.from, at.to), message: `${path}: ${message}`, help });
}

export function reportKind(node: SchemaNode, expected: string, scope: Scope, help?: string): void {
  const message = `${pathName(scope)} must be ${expected}, not ${kindWords(node)}`;
  scope.report({ code: 'SCF104', at: node.at, message, ...present({ help }) });
}

function kindWords(node: SchemaNode): string {
  if (node.kind !== 'scalar') return node.kind === 'map' ? 'a map' : 'a list';
  if (node.value === null) return 'nothing';
  const word = typeof node.value === 'boolean' ? 'word' : typeof node.value;
  return `the ${word} \`${node.source}\``;
}

/** The problem of a name that cannot be used for `what`. */
export function invalidName(
  what: string,
  { value, at }: Located<string>,
  help: string,
  code: string,
) {
  return { code, at, message: `\`${value}\` cannot ${what}`, help };
}

/** Reports words that have a flaw or are repeated. `title`: the name of the list; `code`: for a repetition. */
export function checkWords(
  list: Readonly<Record<'title' | 'code', string>> & { readonly words: readonly Located<string>[] },
  flawOf: (word: string) => CodedFlaw | undefined,
  report: ReportProblem,
): void {
  const { words, title, code } = list;
  const repeated = listRepeats(words, ({ value }) => value);
  for (const word of words) {
    const message = `${title} names \`${word.value}\` twice`;
    const twice = { code, message, help: 'remove one of them' };
    const flaw = repeated.has(word) ? twice : flawOf(word.value);
    if (flaw !== undefined) report({ at: word.at, ...flaw });
  }
}

/** The things whose key an earlier one has. */
export function listRepeats<Thing>(
  things: readonly Thing[],
  keyOf: (thing: Thing) => string,
): ReadonlySet<Thing> {
  const firsts = new Map(things.toReversed().map((it) => [keyOf(it), it]));
  return new Set(things.filter((it) => firsts.get(keyOf(it)) !== it));
}
