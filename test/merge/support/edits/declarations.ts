import { ts } from 'ts-morph';
import { isTopLevel } from './anchors.ts';
import {
  addParameter,
  addReturnType,
  copyFunction,
  moveToEnd,
  takeHelperOut,
} from './function-changes.ts';
import { at, atSame, type Kind } from './kind.ts';
import { renameFunction, renameParameter } from './rename-changes.ts';
import { indent, isFirstOnLine, splice } from './splice.ts';
import { deleteNode, moveMemberUp } from './statement-changes.ts';

/** What is done to functions, types and their members. */
export const declarations: Readonly<Record<string, Kind>> = {
  'a function more': at(isTopLevel, (text, { end, node }, { detail }) =>
    ts.isImportDeclaration(node)
      ? undefined
      : splice(
          text,
          end,
          end,
          `\n\nexport function extra${detail}(): number {\n  return ${detail};\n}`,
        ),
  ),
  'a function copied': atSame(({ node }) => ts.isFunctionDeclaration(node), copyFunction),
  'a function less': atSame(({ node }) => ts.isFunctionDeclaration(node), deleteNode),
  'a function of another name': at(({ node }) => isExported(node), renameFunction),
  'a function elsewhere': atSame(({ node }) => ts.isFunctionDeclaration(node), moveToEnd),
  'a helper taken out': atSame(({ node }) => ts.isVariableStatement(node), takeHelperOut),
  'a parameter more': at(({ node }) => ts.isFunctionDeclaration(node), addParameter),
  'a parameter of another name': at(({ node }) => ts.isStatement(node), renameParameter),
  'a return type': at(({ node }) => ts.isFunctionDeclaration(node), addReturnType),
  'an export': at(
    (it) => isTopLevel(it) && ts.isVariableStatement(it.node) && it.text.startsWith('const '),
    (text, { start }) => splice(text, start, start, 'export '),
  ),
  'a type made wider': atSame(
    ({ node, text }) => ts.isPropertySignature(node) && text.endsWith(';'),
    (text, { end }) => splice(text, end - 1, end - 1, ' | null'),
  ),
  'a property of an interface more': at(
    ({ node }) => ts.isPropertySignature(node),
    (text, { start }, { detail }) =>
      splice(text, start, start, `extra${detail}?: number;\n${indent(text, start)}`),
  ),
  'a property more': at(
    ({ node }) => ts.isPropertyAssignment(node),
    (text, { start, end }, { detail }) => {
      const comma = text[end] === ',' ? end + 1 : end;
      return isFirstOnLine(text, start) && comma > end
        ? splice(text, comma, comma, `\n${indent(text, start)}extra${detail}: ${detail},`)
        : undefined;
    },
  ),
  'a property less': atSame(({ node }) => ts.isPropertyAssignment(node), deleteNode),
  'members in another order': at(({ node }) => ts.isPropertySignature(node), moveMemberUp),
};

/** Others use it, and call it by the new name as well. */
function isExported(node: ts.Node): boolean {
  return ts.isFunctionDeclaration(node) && node.getText().startsWith('export ');
}
