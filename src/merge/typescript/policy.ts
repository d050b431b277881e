import { ts } from 'ts-morph';

/** The function names and keys of emitted policies. */
const terms = { policy: 'definePolicy', some: 'anyOf', all: 'allOf', entry: 'who' } as const;

/** Calls and keys of a policy that are merged entry by entry. */
const composed: ReadonlySet<string> = new Set([
  terms.policy,
  terms.some,
  terms.all,
  'members',
  'agreement',
]);

/** Whether the arguments of a call have no order: `anyOf(owner('author_id'), role('editor'))`. */
export function isRuleSet(node: ts.Node): boolean {
  const called = calledIn(node);
  return called === terms.some || called === terms.all;
}

/** The entries of an `anyOf`. */
export function alternativesIn(node: ts.Node) {
  return ts.isCallExpression(node) && calledIn(node) === terms.some
    ? { open: `${terms.some}(`, close: ')', entries: node.arguments }
    : undefined;
}

/** The arguments of `definePolicy`. */
export function policyIn(node: ts.Node): readonly ts.Expression[] {
  return ts.isCallExpression(node) && calledIn(node) === terms.policy ? node.arguments : [];
}

/**
 * Whether a part of a policy is taken from one side as a whole, such as `when('status', 'in', ['draft', 'sent'])` or an
 * entry `{ who, if, then }`. A mixture of two sides would be a rule that nobody wrote.
 */
export function isWhole(node: ts.Node): boolean {
  const called = calledIn(node);
  const isWord = called !== undefined && !composed.has(called);
  const isNames = ts.isArrayLiteralExpression(node) && node.elements.every(ts.isStringLiteralLike);
  return (
    (isWord || isNames || isEntry(node)) && node.getSourceFile().text.includes(`${terms.policy}(`)
  );
}

function isEntry(node: ts.Node): boolean {
  return (
    ts.isObjectLiteralExpression(node) &&
    node.properties.some(({ name }) => name && ts.isIdentifier(name) && name.text === terms.entry)
  );
}

function calledIn(node: ts.Node): string | undefined {
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression)
    ? node.expression.text
    : undefined;
}
