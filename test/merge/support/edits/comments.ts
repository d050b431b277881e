import { ts } from 'ts-morph';
import { isTopLevel } from './anchors.ts';
import { at, atSameComment, type Kind } from './kind.ts';
import { indent, isFirstOnLine, splice } from './splice.ts';

/** What is done to comments and to nothing else. */
export const comments: Readonly<Record<string, Kind>> = {
  'a docstring': at(isTopLevel, (text, { start }, { detail }) =>
    splice(text, start, start, `/**\n * Mine ${detail}:\n * more of it.\n */\n`),
  ),
  'a comment above': at(
    () => true,
    (text, { start }, { detail }) =>
      isFirstOnLine(text, start)
        ? splice(text, start, start, `// Mine ${detail}: leave this.\n${indent(text, start)}`)
        : undefined,
  ),
  'a comment behind': at(
    ({ node }) => ts.isStatement(node) || ts.isPropertyAssignment(node),
    (text, { end }, { detail }) => {
      const line = text.indexOf('\n', end);
      const isLast = /^[;,]?$/.test(text.slice(end, line));
      return isLast ? splice(text, line, line, ` // mine ${detail}`) : undefined;
    },
  ),
  'another word in a comment': atSameComment((text, { start, comment }, { detail }) => {
    const reworded = comment.replace(/\w+(?=\W*$)/, `$& of mine ${detail}`);
    return splice(text, start - comment.length, start, reworded);
  }),
  'a comment less': atSameComment((text, { start, comment }) =>
    splice(text, start - comment.length, start, ''),
  ),
};
