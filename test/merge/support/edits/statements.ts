import { ts } from 'ts-morph';
import { isInBody } from './anchors.ts';
import { at, atSame, type Kind } from './kind.ts';
import { renameVariable } from './rename-changes.ts';
import { indent, splice } from './splice.ts';
import { copyCall, deleteNode, takeOut, wrapBody } from './statement-changes.ts';

/** What is done to the statements of a body. */
export const statements: Readonly<Record<string, Kind>> = {
  'a statement more, before one': at(isInBody, (text, { start }, { detail }) =>
    splice(text, start, start, `audit('mine ${detail}');\n${indent(text, start)}`),
  ),
  'a statement more, after one': at(
    (it) => isInBody(it) && !ts.isReturnStatement(it.node),
    (text, { start, end }, { detail }) =>
      splice(text, end, end, `\n${indent(text, start)}audit('mine ${detail}');`),
  ),
  'a variable around a statement': at(
    (it) => isInBody(it) && !ts.isReturnStatement(it.node),
    (text, { start, end }, { detail }) => {
      const depth = indent(text, start);
      const after = splice(text, end, end, `\n${depth}audit(mine${detail});`);
      return splice(after, start, start, `const mine${detail} = audit(${detail});\n${depth}`);
    },
  ),
  'a value taken out': atSame(isInBody, takeOut),
  'a route more': at(
    ({ node, text }) => ts.isExpressionStatement(node) && /^(await )?app\./.test(text),
    (text, { start, end }, { detail }) => {
      const depth = indent(text, start);
      const route = `app.get('/mine-${detail}', async (request) => {\n${depth}  return audit(request);\n${depth}});`;
      return splice(text, end, end, `\n\n${depth}${route}`);
    },
  ),
  'a route copied': atSame(
    ({ node, text }) => ts.isExpressionStatement(node) && /^app\.\w+\(\s*'/.test(text),
    copyCall,
  ),
  'a statement less': atSame(isInBody, deleteNode),
  'a variable of another name': at(({ node }) => ts.isVariableStatement(node), renameVariable),
  'a try around a body': at(
    isInBody,
    wrapBody('try {', '} catch (error) {\n  throw explain#(error);\n}'),
  ),
  'a call around a body': at(isInBody, wrapBody('return traced#(async () => {', '});')),
  'an if around a statement': at(
    (it) => isInBody(it) && ts.isExpressionStatement(it.node),
    (text, { start, end, text: body }, { detail }) => {
      const depth = indent(text, start);
      const inside = body.replaceAll('\n', '\n  ');
      return splice(text, start, end, `if (wanted${detail}) {\n${depth}  ${inside}\n${depth}}`);
    },
  ),
};
