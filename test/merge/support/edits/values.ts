import { ts } from 'ts-morph';
import type { Dice } from '../dice.ts';
import { isInBody, type Found } from './anchors.ts';
import { atSame, type Kind } from './kind.ts';
import { splice } from './splice.ts';
import { lastArgument } from './statement-changes.ts';

/** What is done to an expression: the rest of its statement or property stays. */
export const values: Readonly<Record<string, Kind>> = {
  'another value': atSame(({ node }) => !ts.isImportDeclaration(node), changeValue),
  'a call around': atSame(isInBody, aroundArgument('checked#(', ')')),
  'a field of a response more': atSame(
    ({ node }) => ts.isReturnStatement(node),
    aroundArgument('{ ...', ', extra#: # }'),
  ),
  'a rule of a policy more': atSame(
    ({ node }) => ts.isPropertyAssignment(node) && isRule(node.initializer),
    (text, { node, end }, { detail }) => {
      if (!ts.isPropertyAssignment(node) || !/\banyOf\b.*\brole\b/.test(text)) return undefined;
      const { initializer } = node;
      const rule = `anyOf(${initializer.getText()}, role('mine${detail}'))`;
      return splice(text, initializer.getStart(), end, rule);
    },
  ),
  'a condition more': atSame(
    ({ node }) => ts.isIfStatement(node),
    (text, { node }, { detail }) => {
      if (!ts.isIfStatement(node)) return undefined;
      const { expression } = node;
      const condition = `(${expression.getText()}) && wanted${detail}`;
      return splice(text, expression.getStart(), expression.end, condition);
    },
  ),
  'a value of ones own': atSame(
    ({ node }) => ts.isVariableStatement(node),
    (text, { node }, { detail }) => {
      if (!ts.isVariableStatement(node)) return undefined;
      const value = node.declarationList.declarations[0]?.initializer;
      if (!value) return undefined;
      return splice(text, value.getStart(), value.end, `await load${detail}({ fresh: true })`);
    },
  ),
};

function isRule(value: ts.Expression): boolean {
  return (
    /^(?:everyone|signedIn|owner|role|anyOf)\b/.test(value.getText()) &&
    value.getSourceFile().text.includes('definePolicy(')
  );
}

function changeValue(text: string, { start, end }: Found, { detail }: Dice): string | undefined {
  const found = [...text.slice(start, end).matchAll(/'[^'\n]*'|\b\d+\b|\b(?:true|false)\b/g)];
  const chosen = found[detail % Math.max(1, found.length)];
  if (!chosen) return undefined;
  const place = start + chosen.index;
  const value = chosen[0].startsWith("'") ? `'mine ${detail}'` : `${1000 + detail}`;
  return splice(text, place, place + chosen[0].length, value);
}

function aroundArgument(open: string, close: string) {
  return (text: string, { node }: Found, { detail }: Dice): string | undefined => {
    const argument = lastArgument(node, detail);
    if (!argument) return undefined;
    const wrapped = `${open}${argument.getText()}${close}`.replaceAll('#', `${detail}`);
    return splice(text, argument.getStart(), argument.end, wrapped);
  };
}
