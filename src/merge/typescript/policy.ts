import { ts } from 'ts-morph';

/** The words of emitted policies. */
const words = { policy: 'definePolicy', some: 'anyOf', all: 'allOf', entry: 'who' } as const;

/** The parts of a policy: rule by rule, key by key. */
const composed: ReadonlySet<string> = new Set([
  words.policy,
  words.some,
  words.all,
  'members',
  'agreement',
]);

/** Whether its arguments are a set: `anyOf(owner('author_id'), role('editor'))`. */
export function isRuleSet(node: ts.Node): boolean {
  const called = calledIn(node);
  return called === words.some || called === words.all;
}

/** The entries of a rule of which any admits. */
export function alternativesIn(node: ts.Node) {
  return ts.isCallExpression(node) && calledIn(node) === words.some
    ? { open: `${words.some}(`, close: ')', entries: node.arguments }
    : undefined;
}

/** What a policy is made of: the arguments of `definePolicy`. */
export function policyIn(node: ts.Node): readonly ts.Expression[] {
  return ts.isCallExpression(node) && calledIn(node) === words.policy ? node.arguments : [];
}

/**
 * A word of a policy, `when('status', 'in', ['draft', 'sent'])`, a list of names in one, or an entry of a rule, `{ who,
 * if, then }`: what one side took out and the other put in would be a rule that neither wrote.
 */
export function isWhole(node: ts.Node): boolean {
  const called = calledIn(node);
  const isWord = called !== undefined && !composed.has(called);
  const isNames = ts.isArrayLiteralExpression(node) && node.elements.every(ts.isStringLiteralLike);
  return (
    (isWord || isNames || isEntry(node)) && node.getSourceFile().text.includes(`${words.policy}(`)
  );
}

function isEntry(node: ts.Node): boolean {
  return (
    ts.isObjectLiteralExpression(node) &&
    node.properties.some(({ name }) => name && ts.isIdentifier(name) && name.text === words.entry)
  );
}

function calledIn(node: ts.Node): string | undefined {
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression)
    ? node.expression.text
    : undefined;
}
