import { ts } from 'ts-morph';
import { alternativesIn, policyIn } from './policy.ts';
import type { Edit } from './rename-edits.ts';

/** The owner's name for something that the text may call by a new name. */
export type Spell = (token: string) => string;

/** The rules that our texts are compared with. */
export interface Own {
  readonly statements: readonly ts.Statement[];
  /** As they were before the owner edited them. */
  readonly made: readonly ts.Statement[];
  /** Those of the other text of ours. */
  readonly other: readonly ts.Statement[];
  readonly formerly: Spell;
}

/**
 * `read: owner('author_id')` → `read: anyOf(owner('author_id'))`, or `[owner('author_id')]`, as the owner has several,
 * and where the schema adds to it or leaves it of several.
 */
export function asOneOfSeveral(node: ts.VariableStatement, own: Own): readonly Edit[] {
  const { statements, made, other, formerly } = own;
  const name = formerly(nameOf(node) ?? '');
  const [mine, base, beside] = [statements, made, other].map((all) => rulesOf(all, name));
  return rulesIn(node).flatMap(([path, value]): readonly Edit[] => {
    const known = path.map(formerly).join('.');
    const [rule, former] = [several(mine?.get(known)), base?.get(known)];
    const isAmong = several(beside?.get(known))?.entries.some(
      (it) => wordsOf(it) === wordsOf(value),
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

function rulesOf(all: readonly ts.Statement[], name: string): ReadonlyMap<string, ts.Expression> {
  const policy = all.filter(ts.isVariableStatement).find((it) => nameOf(it) === name);
  return new Map(policy ? rulesIn(policy).map(([path, value]) => [path.join('.'), value]) : []);
}

type Rule = readonly [path: readonly string[], value: ts.Expression];

/** The rules of a policy and what they are of: `read`, or `fields`, `price`, `read`. */
function rulesIn({ declarationList: { declarations } }: ts.VariableStatement): readonly Rule[] {
  const value = declarations[0]?.initializer;
  return value ? policyIn(value).flatMap((it) => valuesIn(it, [])) : [];
}

function valuesIn(node: ts.Expression, path: readonly string[]): readonly Rule[] {
  if (!ts.isObjectLiteralExpression(node)) return [[path, node]];
  return node.properties
    .filter(ts.isPropertyAssignment)
    .flatMap(({ name, initializer }) => valuesIn(initializer, [...path, name.getText()]));
}

/** Whether the owner left every entry as it was made, and added some. */
function isLonger(own: readonly ts.Expression[], former: ts.Expression): boolean {
  const [words, made] = [new Set(own.map(wordsOf)), several(former)?.entries ?? [former]];
  return words.size > made.length && made.every((it) => words.has(wordsOf(it)));
}

const wordsOf = (node: ts.Node) => node.getText().replace(/\s|,(?=\s*[)\]}])/g, '');

/** How several entries stand together. */
function several(value: ts.Expression | undefined) {
  if (value && ts.isArrayLiteralExpression(value))
    return { open: '[', close: ']', entries: value.elements };
  return value && alternativesIn(value);
}
