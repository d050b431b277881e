import { ts } from 'ts-morph';
import type { ListRule, Parts } from '../keyed/tree.ts';

export function calleeName(node: ts.Node): Pick<Parts, 'name'> {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return {};
  const { expression } = node;
  if (ts.isIdentifier(expression)) return { name: expression.text };
  return ts.isPropertyAccessExpression(expression) ? { name: expression.name.text } : {};
}

type ChildNode = ts.Node | ts.NodeArray<ts.Node>;

export function listChildren(node: ts.Node): [string, ChildNode][] {
  const found: [string, ChildNode][] = [];
  const entries = Object.entries(node);
  const add = (child: ChildNode): void => {
    const role = entries.find(([, value]) => value === child)?.[0];
    if (role) found.push([role, child]);
  };
  ts.forEachChild(node, add, add);
  return found.filter(([, child]) => child.end > child.pos || isArray(child));
}

export function isArray(child: ChildNode): child is ts.NodeArray<ts.Node> {
  return !('kind' in child);
}

/** The compiler counts the separators of an interface as part of its members. */
export function elementEnd(element: ts.Node, rule: ListRule): number {
  const last = element.getText().at(-1);
  return rule.separator === ';' && (last === ';' || last === ',') ? element.end - 1 : element.end;
}
