import { ts } from 'ts-morph';
import { alternativesIn, policyIn } from './policy.ts';
import type { Edit } from './rename-edits.ts';

/** The owner's name for something that may have a new name. */
export type Respell = (token: string) => string;

/** The statements with which a text of scaffold's is compared. */
export interface ComparedRules {
  readonly statements: readonly ts.Statement[];
  /** The statements of the base. */
  readonly made: readonly ts.Statement[];
  /** The statements of the other text of scaffold's: theirs for the base, and the reverse. */
  readonly other: readonly ts.Statement[];
  readonly formerName: Respell;
}

/**
 * If the owner added entries to a rule, writes the only entry of a text of scaffold's as a list too: `read:
 * owner('author_id')` → `read: anyOf(owner('author_id'))`. Applies where the schema also adds or removes entries.
 */
export function withOwnerAlternatives(
  node: ts.VariableStatement,
  own: ComparedRules,
): readonly Edit[] {
  const { statements, made, other, formerName } = own;
  const name = formerName(nameOf(node) ?? '');
  const [ours, base, beside] = [statements, made, other].map((all) => mapRules(all, name));
  return readRules(node).flatMap(([path, value]): readonly Edit[] => {
    const known = path.map(formerName).join('.');
    const [rule, former] = [findEntries(ours?.get(known)), base?.get(known)];
    const isAmong = findEntries(beside?.get(known))?.entries.some(
      (it) => unformatted(it) === unformatted(value),
    );
    if (!rule || !former || !isAmong || !isLonger(rule.entries, former)) return [];
    return [
      { start: value.getStart(), end: value.getStart(), text: rule.open },
      { start: value.end, end: value.end, text: rule.close },
    ];
  });
}

const nameOf = ({ declarationList: { declarations } }: ts.VariableStatement) =>
  declarations[0]?.name.getText();

function mapRules(all: readonly ts.Statement[], name: string): ReadonlyMap<string, ts.Expression> {
  const policy = all.filter(ts.isVariableStatement).find((it) => nameOf(it) === name);
  return new Map(policy ? readRules(policy).map(([path, value]) => [path.join('.'), value]) : []);
}

type Rule = readonly [path: readonly string[], value: ts.Expression];

/** The rules of a policy and their paths: `read`, or `fields`, `price`, `read`. */
function readRules({ declarationList: { declarations } }: ts.VariableStatement): readonly Rule[] {
  const value = declarations[0]?.initializer;
  return value ? policyIn(value).flatMap((it) => listPathValues(it, [])) : [];
}

function listPathValues(node: ts.Expression, path: readonly string[]): readonly Rule[] {
  if (!ts.isObjectLiteralExpression(node)) return [[path, node]];
  return node.properties
    .filter(ts.isPropertyAssignment)
    .flatMap(({ name, initializer }) => listPathValues(initializer, [...path, name.getText()]));
}

/** Whether the owner kept every entry and added some. */
function isLonger(own: readonly ts.Expression[], former: ts.Expression): boolean {
  const [words, made] = [new Set(own.map(unformatted)), findEntries(former)?.entries ?? [former]];
  return words.size > made.length && made.every((it) => words.has(unformatted(it)));
}

/** Formatters also choose the quotes. */
const unformatted = (node: ts.Node) =>
  node
    .getText()
    .replaceAll(/\s|,(?=\s*[)\]}])/g, '')
    .replaceAll('"', "'");

/** The entries of a rule that has several, and the text around them. */
function findEntries(value: ts.Expression | undefined) {
  if (value && ts.isArrayLiteralExpression(value))
    return { open: '[', close: ']', entries: value.elements };
  return value && alternativesIn(value);
}
