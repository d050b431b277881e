import { ts } from 'ts-morph';
import { findAnchor, isInBody, isTopLevel, readAnchors, type Found } from './anchors.ts';
import {
  addParameter,
  addReturnType,
  changeValue,
  deleteNode,
  indent,
  isFirstOnLine,
  moveToEnd,
  moveUp,
  renameImport,
  renameVariable,
  sortImports,
  splice,
  takeOut,
  wrapBody,
  wrapValue,
} from './code-changes.ts';
import type { Dice } from './dice.ts';

/** What a person does to a file: it can be done to the file of before and to that of after. */
export interface Edit {
  readonly name: string;
  /** Nothing when the place is not there, or is no longer what was edited. */
  readonly apply: (text: string) => string | undefined;
}

export interface EditOptions {
  /** What a name is called in the other version. */
  readonly renames: ReadonlyMap<string, string>;
  /**
   * `plain`: what goes with any change somewhere else. `hard`: what also says something of its neighbours.
   * `typed`: what type-checks beside `mine.d.ts`.
   */
  readonly among: 'plain' | 'hard' | 'typed';
}

export function makeEdit(
  text: string,
  dice: Dice,
  { renames, among }: EditOptions,
): Edit | undefined {
  const kinds = { plain, hard: { ...hard, ...plain }, typed }[among];
  const names = Object.keys(kinds);
  const name = names[dice.kind % names.length] ?? '';
  const edit = kinds[name]?.(text, { ...dice, renames });
  return edit && { name, apply: edit };
}

type Apply = Edit['apply'];
type Details = Dice & Pick<EditOptions, 'renames'>;
type Kind = (text: string, details: Details) => Apply | undefined;

/** An edit of one node, wherever it is. */
function at(
  select: (found: Found) => boolean,
  change: (text: string, found: Found, dice: Dice) => string | undefined,
  mayDiffer = true,
): Kind {
  return (text, details) => {
    const places = readAnchors(text).filter(select);
    const anchor = places[details.place % places.length];
    if (!anchor) return undefined;
    const renamed = anchor.path.replace(/\w+/g, (word) => details.renames.get(word) ?? word);
    return (version) => {
      const other = renamed === anchor.path ? undefined : findAnchor(version, { path: renamed });
      const same = findAnchor(version, anchor);
      // Names were swapped or handed on: which of the two is meant cannot be told.
      if (same && other) return undefined;
      const found = same ?? other;
      if (!found || !(mayDiffer || found.text === anchor.text)) return undefined;
      return change(version, found, details);
    };
  };
}

const plain: Readonly<Record<string, Kind>> = {
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
  'a value taken out': at((it) => isInBody(it), takeOut, false),
  'a route more': at(
    ({ node, text }) => ts.isExpressionStatement(node) && /^(await )?app\./.test(text),
    (text, { start, end }, { detail }) => {
      const depth = indent(text, start);
      const route = `app.get('/mine-${detail}', async (request) => {\n${depth}  return audit(request);\n${depth}});`;
      return splice(text, end, end, `\n\n${depth}${route}`);
    },
  ),
  'a docstring': at(
    (it) => isTopLevel(it),
    (text, { start }, { detail }) =>
      splice(text, start, start, `/**\n * Mine ${detail}:\n * more of it.\n */\n`),
  ),
  'a type made wider': at(
    ({ node, text }) => ts.isPropertySignature(node) && text.endsWith(';'),
    (text, { end }) => splice(text, end - 1, end - 1, ' | null'),
    false,
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
  'one less': at(
    (it) => isInBody(it) || ts.isPropertyAssignment(it.node) || ts.isFunctionDeclaration(it.node),
    deleteNode,
    false,
  ),
  'another value': at(({ node }) => !ts.isImportDeclaration(node), changeValue, false),
  'a call around': at(({ node }) => isInBody({ node } as Found), wrapValue, false),
  'a variable of another name': at(({ node }) => ts.isVariableStatement(node), renameVariable),
  'a try around a body': at(isInBody, wrapBody),
  'an if around a statement': at(
    (it) => isInBody(it) && ts.isExpressionStatement(it.node),
    (text, { start, end, text: body }, { detail }) => {
      const depth = indent(text, start);
      const inside = body.replaceAll('\n', '\n  ');
      return splice(text, start, end, `if (wanted${detail}) {\n${depth}  ${inside}\n${depth}}`);
    },
  ),
  'an import more': at(
    ({ node }) => ts.isImportDeclaration(node),
    (text, { end }, { detail }) =>
      splice(text, end, end, `\nimport { audit${detail} } from '../audit/audit-${detail}.ts';`),
  ),
  'a name imported more': at(
    ({ node }) => ts.isImportDeclaration(node),
    (text, { start, end }, { detail }) => {
      const brace = text.lastIndexOf(' }', end);
      return brace > start && !text.slice(start, end).includes('\n')
        ? splice(text, brace, brace, `, extra${detail}`)
        : undefined;
    },
  ),
  'imports sorted': () => sortImports,
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
  'a function elsewhere': at(({ node }) => ts.isFunctionDeclaration(node), moveToEnd, false),
  'a property more': at(
    ({ node }) => ts.isPropertyAssignment(node),
    (text, { start, end }, { detail }) => {
      const comma = text[end] === ',' ? end + 1 : end;
      return isFirstOnLine(text, start) && comma > end
        ? splice(text, comma, comma, `\n${indent(text, start)}extra${detail}: ${detail},`)
        : undefined;
    },
  ),
  'a property of an interface more': at(
    ({ node }) => ts.isPropertySignature(node),
    (text, { start }, { detail }) =>
      splice(text, start, start, `extra${detail}?: number;\n${indent(text, start)}`),
  ),
  'a parameter more': at(({ node }) => ts.isFunctionDeclaration(node), addParameter),
  'a return type': at(({ node }) => ts.isFunctionDeclaration(node), addReturnType),
};

const hard: Readonly<Record<string, Kind>> = {
  'a way out': at(
    (it) => isInBody(it) && !isTopLevel(it),
    (text, { start }, { detail }) =>
      splice(text, start, start, `if (wanted${detail}) throw gone();\n${indent(text, start)}`),
  ),
  'a statement commented out': at(
    (it) => isInBody(it) && !isTopLevel(it),
    (text, { start, end, text: body }) =>
      isFirstOnLine(text, start) && text[end] === '\n'
        ? splice(text, start, end, `// ${body.replaceAll('\n', '\n// ')}`)
        : undefined,
    false,
  ),
  'an import under another name': at(
    ({ node }) => ts.isImportDeclaration(node),
    renameImport,
    false,
  ),
  'a statement moved up': at((it) => isInBody(it), moveUp, false),
};

/** Declares what edits of the kinds `typed` use. */
export const declarations = [
  'declare function audit(...values: unknown[]): number;',
  ...Array.from({ length: 97 }, (_, detail) => `declare const wanted${detail}: boolean;`),
  ...Array.from(
    { length: 97 },
    (_, detail) => `declare function explain${detail}(error: unknown): Error;`,
  ),
  '',
].join('\n');

const typed: Readonly<Record<string, Kind>> = Object.fromEntries(
  Object.entries(plain).filter(([name]) =>
    [
      'a statement more, before one',
      'a statement more, after one',
      'a variable around a statement',
      'a docstring',
      'a comment above',
      'a comment behind',
      'an if around a statement',
      'imports sorted',
      'a function more',
      'a function elsewhere',
      'a property of an interface more',
    ].includes(name),
  ),
);
