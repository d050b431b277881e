import { ts } from 'ts-morph';
import { findAnchor, isInBody, isTopLevel, readAnchors, type Found } from './anchors.ts';

/** What a person does to a file: it can be done to the file of before and to that of after. */
export interface Edit {
  readonly name: string;
  /** Nothing when the place is not there, or is no longer what was edited. */
  readonly apply: (text: string) => string | undefined;
}

/** Random choices of an edit: the same numbers make the same edit. */
export interface Dice {
  readonly kind: number;
  readonly place: number;
  readonly detail: number;
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
      const found = findAnchor(version, anchor) ?? findAnchor(version, { path: renamed });
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

function splice(text: string, start: number, end: number, added: string): string {
  return text.slice(0, start) + added + text.slice(end);
}

function indent(text: string, place: number): string {
  const line = text.slice(text.lastIndexOf('\n', place - 1) + 1);
  return /^ */.exec(line)?.[0] ?? '';
}

function isFirstOnLine(text: string, place: number): boolean {
  return text.slice(text.lastIndexOf('\n', place - 1) + 1, place).trim() === '';
}

function deleteNode(text: string, { start, end }: Found): string | undefined {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const isAlone =
    /^\s*$/.test(text.slice(lineStart, start)) && /^[;,]?$/.test(text.slice(end, lineEnd));
  return isAlone ? splice(text, lineStart, lineEnd + 1, '') : undefined;
}

function changeValue(text: string, { start, end }: Found, { detail }: Dice): string | undefined {
  const values = [...text.slice(start, end).matchAll(/'[^'\n]*'|\b\d+\b|\b(?:true|false)\b/g)];
  const found = values[detail % Math.max(1, values.length)];
  if (!found) return undefined;
  const place = start + found.index;
  const value = found[0].startsWith("'") ? `'mine ${detail}'` : `${1000 + detail}`;
  return splice(text, place, place + found[0].length, value);
}

/** The first argument of a call gets a call around it. */
function wrapValue(text: string, { node }: Found, { detail }: Dice): string | undefined {
  const calls: ts.CallExpression[] = [];
  const visit = (it: ts.Node): void => {
    if (ts.isCallExpression(it) && it.arguments.length > 0) calls.push(it);
    if (!ts.isFunctionLike(it)) ts.forEachChild(it, visit);
  };
  visit(node);
  const argument = calls[detail % Math.max(1, calls.length)]?.arguments.at(-1);
  if (!argument || ts.isFunctionLike(argument)) return undefined;
  const value = argument.getText();
  return splice(text, argument.getStart(), argument.end, `checked${detail}(${value})`);
}

function renameVariable(text: string, { node }: Found, { detail }: Dice): string | undefined {
  if (!ts.isVariableStatement(node) || !ts.isBlock(node.parent)) return undefined;
  const name = node.declarationList.declarations[0]?.name;
  if (!name || !ts.isIdentifier(name) || name.text === 'app') return undefined;
  const { pos, end } = node.parent;
  const body = text.slice(pos, end);
  return splice(
    text,
    pos,
    end,
    body.replace(new RegExp(`\\b${name.text}\\b`, 'g'), `mine${detail}`),
  );
}

/** The last argument of a call gets a name of its own. */
function takeOut(text: string, { node, start }: Found, { detail }: Dice): string | undefined {
  const calls: ts.CallExpression[] = [];
  const visit = (it: ts.Node): void => {
    if (ts.isCallExpression(it) && it.arguments.length > 0) calls.push(it);
    if (!ts.isFunctionLike(it)) ts.forEachChild(it, visit);
  };
  visit(node);
  const argument = calls[detail % Math.max(1, calls.length)]?.arguments.at(-1);
  if (!argument || ts.isFunctionLike(argument)) return undefined;
  const value = argument.getText();
  const after = splice(text, argument.getStart(), argument.end, `mine${detail}`);
  return splice(after, start, start, `const mine${detail} = ${value};\n${indent(text, start)}`);
}

/** One of the imported names gets another, here and wherever it is used. */
function renameImport(
  text: string,
  { node, start, end }: Found,
  { detail }: Dice,
): string | undefined {
  if (!ts.isImportDeclaration(node)) return undefined;
  const names = [...text.slice(start, end).matchAll(/(?<=\{.*)\b(?!type\b)\w+(?=,| \})/g)];
  const [name = ''] = names[detail % Math.max(1, names.length)] ?? [];
  if (name === '') return undefined;
  const word = new RegExp(`\\b${name}\\b`, 'g');
  const clause = text.slice(start, end).replace(word, `${name} as mine${detail}`);
  return text.slice(0, start) + clause + text.slice(end).replace(word, `mine${detail}`);
}

function moveUp(text: string, { node, start, end }: Found): string | undefined {
  if (!ts.isBlock(node.parent) || !ts.isStatement(node)) return undefined;
  const before = node.parent.statements[node.parent.statements.indexOf(node) - 1];
  if (!before || ts.isReturnStatement(node)) return undefined;
  const between = text.slice(before.end, start);
  if (between.trim() !== '') return undefined;
  const above = before.getStart();
  return splice(text, above, end, text.slice(start, end) + between + text.slice(above, before.end));
}

function wrapBody(text: string, { node }: Found, { detail }: Dice): string | undefined {
  const block = node.parent;
  if (!ts.isBlock(block) || !ts.isArrowFunction(block.parent)) return undefined;
  const [first, last] = [block.statements[0], block.statements.at(-1)];
  if (!first || !last) return undefined;
  const depth = indent(text, first.getStart());
  const body = text.slice(first.getStart(), last.end).replaceAll('\n', '\n  ');
  const wrapped = `try {\n${depth}  ${body}\n${depth}} catch (error) {\n${depth}  throw explain${detail}(error);\n${depth}}`;
  return splice(text, first.getStart(), last.end, wrapped);
}

function sortImports(text: string): string | undefined {
  const lines = text.split('\n');
  const places = lines.flatMap((line, index) => (/^import .*;$/.test(line) ? [index] : []));
  const sorted = places.map((index) => lines[index] ?? '').toSorted();
  for (const [index, place] of places.entries()) lines[place] = sorted[index] ?? '';
  return lines.join('\n');
}

function moveToEnd(text: string, { start, end }: Found): string | undefined {
  const rest = splice(text, start, end, '').replace(/\n{3,}/g, '\n\n');
  return `${rest.trimEnd()}\n\n${text.slice(start, end)}\n`;
}

function addParameter(text: string, { node }: Found, { detail }: Dice): string | undefined {
  if (!ts.isFunctionDeclaration(node) || node.parameters.length === 0) return undefined;
  const { end } = node.parameters;
  return splice(text, end, end, `, extra${detail} = ${detail}`);
}

function addReturnType(text: string, { node }: Found): string | undefined {
  if (!ts.isFunctionDeclaration(node) || node.type || !node.body) return undefined;
  const { end } = node.parameters;
  return splice(text, end + 1, end + 1, ': Promise<unknown>');
}
