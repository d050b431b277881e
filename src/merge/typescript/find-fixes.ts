import { ts } from 'ts-morph';
import { namedIn } from './names.ts';
import { renameImported, renameMember, renameUse, replaceNode, type Edit } from './rename-edits.ts';

/** A compiler's message about one place of a file. */
interface Complaint {
  readonly offset: number;
  /** `TS2339` */
  readonly code: string;
  readonly message: string;
}

export interface NewNames {
  /** What a word may be called now, the likeliest first. */
  readonly respell: (word: string) => readonly string[];
  /** Where an import of the file leads to now; undefined when nobody knows. */
  readonly findImported: (specifier: string) => ImportedFile | undefined;
}

type Fix = readonly Edit[];

/** Fixes for a complaint by new names for old ones, smallest first; the compiler decides which one works. */
export function findFixes(
  { path, text }: { readonly path: string; readonly text: string },
  complaint: Complaint,
  names: NewNames,
): readonly Fix[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const node = nodeAt(file, complaint.offset);
  return [...atNode(node, complaint, names), ...within(widest(node), complaint, names)].slice(
    0,
    most,
  );
}

/** Trying each takes a run of the compiler. */
const most = 8;

/** The innermost node that starts here. */
function nodeAt(file: ts.SourceFile, offset: number): ts.Node {
  const inner = (node: ts.Node): ts.Node => {
    const child = ts.forEachChild(node, (it) =>
      it.getStart(file) <= offset && offset < it.end ? it : undefined,
    );
    return child ? inner(child) : node;
  };
  return inner(file);
}

/** The outermost node that starts where this one does, up to a statement. */
function widest(node: ts.Node): ts.Node {
  const start = node.getStart();
  let wide = node;
  while (!ts.isStatement(wide) && wide.parent?.getStart() === start) wide = wide.parent;
  return wide;
}

function atNode(node: ts.Node, { code }: Complaint, names: NewNames): readonly Fix[] {
  if (ts.isStringLiteralLike(node) && isModuleName(node)) {
    const file = names.findImported(node.text);
    return file ? [fixImport(node, file, names.respell)] : [];
  }
  if (!ts.isIdentifier(node)) return [];
  const { parent } = node;
  const rename = (name: string): Fix => {
    if (ts.isImportSpecifier(parent)) return renameImported(parent, name);
    if (ts.isExportSpecifier(parent)) return [replaceNode(node, `${name} as ${node.text}`)];
    return [unknownNames.has(code) ? renameUse(node, name) : renameMember(node, name)];
  };
  return names.respell(node.text).map(rename);
}

/** Of a name that nothing declares: in `{ title }` the variable is gone, not the property. */
export const unknownNames = new Set(['TS2304', 'TS2552', 'TS18004']);

interface Occurrence {
  readonly word: string;
  readonly edit: Edit;
}

/** Old names in strings and keys inside the node of a complaint; first those that it mentions. */
function within(whole: ts.Node, { offset, message }: Complaint, names: NewNames): readonly Fix[] {
  const isSelf = (edit: Edit) => edit.start === offset && !ts.isStringLiteralLike(whole);
  const found = occurrences(whole, names).filter(({ edit }) => !isSelf(edit));
  const words = new Set(wordsIn(message).map(({ word }) => word));
  const named = found.filter(({ word, edit }) => words.has(word) || words.has(edit.text));
  const others = found.filter((it) => !named.includes(it));
  return [named, others].flatMap((list) => {
    const edits = list.map(({ edit }) => edit);
    const places = new Map(edits.toReversed().map((edit) => [edit.start, edit]));
    return [...edits.map((edit) => [edit]), ...(places.size > 1 ? [[...places.values()]] : [])];
  });
}

function occurrences(node: ts.Node, names: NewNames): readonly Occurrence[] {
  if (ts.isStringLiteralLike(node)) return isModuleName(node) ? [] : inString(node, names);
  const own =
    ts.isIdentifier(node) && ts.isObjectLiteralElement(node.parent)
      ? names
          .respell(node.text)
          .map((name) => ({ word: node.text, edit: renameMember(node, name) }))
      : [];
  const children: Occurrence[] = [];
  ts.forEachChild(node, (child) => {
    children.push(...occurrences(child, names));
  });
  return [...own, ...children];
}

/** `'posts.title as headline'`: the string as a whole, or each word of it. */
function inString(node: ts.StringLiteralLike, { respell }: NewNames): readonly Occurrence[] {
  const inside = node.getText().slice(1, -1);
  const whole = respell(inside);
  const words = whole.length > 0 ? [{ word: inside, at: 0 }] : usedIn(inside);
  if (/[^\w$.\s-]/.test(inside) || isAlias(node)) return [];
  return words.flatMap(({ word, at }) => {
    const start = node.getStart() + 1 + at;
    return respell(word).map((text) => ({ word, edit: { start, end: start + word.length, text } }));
  });
}

/** `count('id').as('posts')`: the owner chose this name. */
function isAlias({ parent }: ts.StringLiteralLike): boolean {
  return (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    parent.expression.name.text === 'as'
  );
}

/** A name after `as` is the owner's, too. */
function usedIn(text: string): ReturnType<typeof wordsIn> {
  return wordsIn(text).filter(({ at }) => !/\sas\s+$/.test(text.slice(0, at)));
}

function wordsIn(text: string): readonly { readonly word: string; readonly at: number }[] {
  return [...text.matchAll(/[\w$]+/g)].map((found) => ({ word: found[0], at: found.index }));
}

/** Where an import leads to now. */
export interface ImportedFile {
  readonly specifier: string;
  readonly exports: (name: string) => boolean;
}

/** Whether a string names a module: in an import, an export or a call that takes one. */
function isModuleName(node: ts.StringLiteralLike): boolean {
  const { parent } = node;
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isExternalModuleReference(parent) ||
    (ts.isLiteralTypeNode(parent) && ts.isImportTypeNode(parent.parent)) ||
    (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword)
  );
}

/** Fixes the path, and the names that the imported file has renamed. */
function fixImport(
  node: ts.StringLiteralLike,
  file: ImportedFile,
  respell: (word: string) => readonly string[],
): readonly Edit[] {
  const quote = node.getText()[0] ?? `'`;
  return [
    replaceNode(node, `${quote}${file.specifier}${quote}`),
    ...specifiersOf(node.parent).flatMap((specifier) => {
      const { text } = specifier.propertyName ?? specifier.name;
      const name = file.exports(text) ? undefined : respell(text).find(file.exports);
      if (name === undefined) return [];
      if (ts.isImportSpecifier(specifier)) return renameImported(specifier, name);
      return [replaceNode(specifier, `${name} as ${specifier.name.text}`)];
    }),
  ];
}

type Specifier = ts.ImportSpecifier | ts.ExportSpecifier;

function specifiersOf(node: ts.Node): readonly Specifier[] {
  if (ts.isImportDeclaration(node)) return namedIn(node);
  if (!ts.isExportDeclaration(node) || !node.exportClause) return [];
  return ts.isNamedExports(node.exportClause) ? node.exportClause.elements : [];
}
