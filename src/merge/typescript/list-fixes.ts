import { ts } from 'ts-morph';
import { namedIn } from './names.ts';
import { calledName, mayCollide, type NamedTable, tablesAround } from './queries.ts';
import { renameImported, renameMember, renameUse, replaceNode, type Edit } from './rename-edits.ts';

/** An error of the compiler at one place of a file. */
interface Complaint {
  readonly offset: number;
  /** `TS2339` */
  readonly code: string;
  readonly message: string;
}

export interface NewNames {
  /** The names that a word may have now, the most likely first. */
  readonly respell: (word: string) => readonly string[];
  /** The tables that have a column by its new name, by their old and new names. */
  readonly tablesWith: (word: string, newName: string) => readonly string[];
  /** Where an import of the file leads now; undefined if that is unknown. */
  readonly findImported: (specifier: string) => ImportedFile | undefined;
}

type Fix = readonly Edit[];

/** Possible fixes of an error by new names, the smallest first. The compiler decides which one works. */
export function listFixes(
  { path, text }: { readonly path: string; readonly text: string },
  complaint: Complaint,
  names: NewNames,
): readonly Fix[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const node = nodeAt(file, complaint.offset);
  return [
    ...fixesAt(node, complaint, names),
    ...fixesInside(outermostAt(node), complaint, names),
  ].slice(0, mostFixes);
}

/** Each attempt runs the compiler. */
const mostFixes = 8;

/** The innermost node that starts at an offset. */
function nodeAt(file: ts.SourceFile, offset: number): ts.Node {
  const inner = (node: ts.Node): ts.Node => {
    const child = ts.forEachChild(node, (it) =>
      it.getStart(file) <= offset && offset < it.end ? it : undefined,
    );
    return child ? inner(child) : node;
  };
  return inner(file);
}

/** The outermost expression that starts at the same place as a node. */
function outermostAt(node: ts.Node): ts.Node {
  const start = node.getStart();
  let wide = node;
  while (!ts.isStatement(wide) && wide.parent?.getStart() === start) wide = wide.parent;
  return wide;
}

function fixesAt(node: ts.Node, { code }: Complaint, names: NewNames): readonly Fix[] {
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

/** Codes for an undeclared name. In `{ title }`, they mean the variable, not the property. */
export const unknownNames = new Set(['TS2304', 'TS2552', 'TS18004']);

interface Occurrence {
  readonly word: string;
  readonly edit: Edit;
}

/** Fixes for old names in strings and keys inside a node, first of names that the message mentions. */
function fixesInside(
  whole: ts.Node,
  { offset, message }: Complaint,
  names: NewNames,
): readonly Fix[] {
  const isSelf = (edit: Edit) => edit.start === offset && !ts.isStringLiteralLike(whole);
  const found = occurrences(whole, names).filter(({ edit }) => !isSelf(edit));
  const words = new Set(locateWords(message).map(({ word }) => word));
  const named = found.filter(({ word, edit }) => words.has(word) || words.has(edit.text));
  const others = found.filter((it) => !named.includes(it));
  return [named, others].flatMap((list) => {
    const edits = list.map(({ edit }) => edit);
    const byStart = new Map(edits.toReversed().map((edit) => [edit.start, edit]));
    return [...edits.map((edit) => [edit]), ...(byStart.size > 1 ? [[...byStart.values()]] : [])];
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

/** The new spelling of a whole string, or of each word of it: `'posts.title as headline'`. */
function inString(node: ts.StringLiteralLike, names: NewNames): readonly Occurrence[] {
  const { respell } = names;
  const inside = node.getText().slice(1, -1);
  const whole = respell(inside);
  const isPath = !/\s/.test(inside);
  const all = { word: inside, at: 0 };
  const words = whole.length > 0 && isPath ? [all] : [...usedIn(inside), all];
  if (/[^\w$.\s-]/.test(inside) || isAlias(node)) return [];
  return words.flatMap(({ word, at }) => {
    const start = node.getStart() + 1 + at;
    const end = start + word.length;
    return respell(word).map((name) => {
      const isNew = (other: string) => [other, ...respell(other)].includes(columnOf(name));
      const isNamed = isPath && end + 1 === node.end && mayCollide(node, isNew);
      const isBare = at === 0 && !/\./.test(inside);
      const table = isBare ? tableOf(node, names.tablesWith(word, name)) : undefined;
      const path = table === undefined ? name : `${table}.${name}`;
      const text = isNamed ? `${path} as ${columnOf(word)}` : path;
      return { word, edit: { start, end, text } };
    });
  });
}

/** What a query with several tables calls the one that has a column: another one may have such a column, too. */
function tableOf(column: ts.StringLiteralLike, tables: readonly string[]): string | undefined {
  const { parent } = column;
  const isSet = ts.isCallExpression(parent) && calledName(parent) === 'set';
  if (isSet || !(ts.isCallExpression(parent) || ts.isArrayLiteralExpression(parent)))
    return undefined;
  const [inner = [], ...outer] = tablesAround(column);
  const find = (all: readonly NamedTable[]) => {
    const named = all.filter(({ table }) => tables.includes(table));
    // If none has such a column, it is of the rows of another query.
    return named.length > 0 ? named : all.filter(({ table }) => table === '');
  };
  const near = find(inner);
  if (near.length > 0 ? inner.length === 1 : outer.length === 0) return undefined;
  const [own, ...others] = near.length > 0 ? near : find(outer.flat());
  return others.length === 0 ? own?.name : undefined;
}

/** A column without its table. */
const columnOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);

/** Whether the owner chose a name: `count('id').as('posts')`. */
function isAlias({ parent }: ts.StringLiteralLike): boolean {
  return ts.isCallExpression(parent) && calledName(parent) === 'as';
}

/** The words of a text, without names after `as`, which the owner chose. */
function usedIn(text: string): ReturnType<typeof locateWords> {
  return locateWords(text).filter(({ at }) => !/\sas\s+$/.test(text.slice(0, at)));
}

function locateWords(text: string): readonly { readonly word: string; readonly at: number }[] {
  return [...text.matchAll(/[\w$]+/g)].map((found) => ({ word: found[0], at: found.index }));
}

export interface ImportedFile {
  readonly specifier: string;
  readonly exports: (name: string) => boolean;
}

/** Whether a string names a module: in an import, an export or a call such as `vi.mock`. */
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

/** Fixes the path of an import, and the names that its file has renamed. */
function fixImport(
  node: ts.StringLiteralLike,
  file: ImportedFile,
  respell: (word: string) => readonly string[],
): readonly Edit[] {
  const quote = node.getText()[0] ?? `'`;
  return [
    replaceNode(node, `${quote}${file.specifier}${quote}`),
    ...listNamedSpecifiers(node.parent).flatMap((specifier) => {
      const { text } = specifier.propertyName ?? specifier.name;
      const name = file.exports(text) ? undefined : respell(text).find(file.exports);
      if (name === undefined) return [];
      if (ts.isImportSpecifier(specifier)) return renameImported(specifier, name);
      return [replaceNode(specifier, `${name} as ${specifier.name.text}`)];
    }),
  ];
}

type Specifier = ts.ImportSpecifier | ts.ExportSpecifier;

function listNamedSpecifiers(node: ts.Node): readonly Specifier[] {
  if (ts.isImportDeclaration(node)) return namedIn(node);
  if (!ts.isExportDeclaration(node) || !node.exportClause) return [];
  return ts.isNamedExports(node.exportClause) ? node.exportClause.elements : [];
}
