import { ts } from 'ts-morph';
import { isInBody, isTopLevel } from './anchors.ts';
import { takeHandlerOut, turnIntoArrow } from './function-changes.ts';
import { at, atSame, atSameWithComment, type Kind } from './kind.ts';
import { indent, isFirstOnLine, splice } from './splice.ts';
import { moveUp } from './statement-changes.ts';

/** Edits that also mention their neighbours, or take what theirs may change elsewhere. */
export const hard: Readonly<Record<string, Kind>> = {
  'a way out': at(
    (it) => isInBody(it) && !isTopLevel(it),
    (text, { start }, { detail }) =>
      splice(text, start, start, `if (wanted${detail}) throw gone();\n${indent(text, start)}`),
  ),
  'a statement commented out': atSameWithComment(
    (it) => isInBody(it) && !isTopLevel(it),
    (text, { start, end, text: body }) =>
      isFirstOnLine(text, start) && text[end] === '\n'
        ? splice(text, start, end, `// ${body.replaceAll('\n', '\n// ')}`)
        : undefined,
  ),
  'a statement moved up': atSame(isInBody, moveUp),
  // New names in code that its owner took elsewhere are left to them, or to the codemod.
  'a handler taken out': (text, details) =>
    (details.renames.size > 0 ? atSame : at)(
      ({ node }) => ts.isExpressionStatement(node),
      takeHandlerOut,
    )(text, details),
  'a function as an arrow': at(({ node }) => ts.isFunctionDeclaration(node), turnIntoArrow),
};
