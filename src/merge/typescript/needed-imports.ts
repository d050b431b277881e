import { ts } from 'ts-morph';
import type { NamesToRepair, Three, Tree } from '../keyed/tree.ts';
import { listIdentifiers, namedIn } from './names.ts';
import { typescriptLanguage } from './parse.ts';
import { applyEdits, type Edit } from './rename-edits.ts';
import { parseSourceFile } from './source-file.ts';
import { restyle, measureStyle } from './style.ts';

/** Adds the imports of another text for names that a text uses without declaring them. */
export function addNeededImports(text: string, other: string): string {
  const [ours, theirs] = [typescriptLanguage.parse(text), typescriptLanguage.parse(other)];
  if (!ours || !theirs) return text;
  const { declared, used } = ours.names;
  return importFrom(theirs, ours, (name) => used.has(name) && !declared.has(name));
}

/**
 * Adds imports of theirs for undeclared names, and removes unneeded names. Keeps the last name of an import that the
 * owner wrote: one with another path or alias than the base has.
 */
export function repairImports(
  { base, ours, theirs }: Three<Tree>,
  { undeclared, unneeded }: NamesToRepair,
): Tree | undefined {
  if (undeclared.size + unneeded.size === 0) return undefined;
  const more = importFrom(theirs, ours, (name) => undeclared.has(name));
  const isIdle = (name: string) => unneeded.has(name);
  const text =
    unneeded.size === 0 ? more : withoutNames(more, isIdle, namesMadeIn(base.source.text));
  return text === ours.source.text ? undefined : typescriptLanguage.parse(text);
}

function importFrom(theirs: Tree, ours: Tree, isNeeded: (name: string) => boolean): string {
  const { text } = ours.source;
  const styled = restyle(theirs.source, measureStyle(theirs.source), measureStyle(ours.source));
  const file = parseSourceFile(text);
  const edits = listImports(parseSourceFile(styled)).flatMap((it): readonly Edit[] => {
    const all = namedIn(it);
    const needed = all.filter(({ name }) => isNeeded(name.text)).map((name) => name.getText());
    if (needed.length > 0) return [importNamed(file, it, needed)];
    return otherNames(it).some(isNeeded) ? [insertImport(file, it.getText())] : [];
  });
  return applyEdits(text, edits);
}

/** Removes imported or destructured names that a text does not use and another one does. */
export function dropUnneededNames(text: string, other: string): string {
  const [ours, theirs] = [typescriptLanguage.readNames(text), typescriptLanguage.readNames(other)];
  if (!ours || !theirs) return text;
  return withoutNames(text, (name) => theirs.used.has(name) && !ours.used.has(name));
}

function withoutNames(
  text: string,
  isUnneeded: (name: string) => boolean,
  isMade: (words: string) => boolean = () => true,
): string {
  const file = parseSourceFile(text);
  const isRemoved = (it: ts.ImportSpecifier | ts.BindingElement) =>
    ts.isIdentifier(it.name) && isUnneeded(it.name.text) && isMade(printSpecifier(it));
  const imports = listImports(file).flatMap((it) => {
    const [others, named] = [otherNames(it), namedIn(it)];
    const isIdle = others.every(isUnneeded) && named.every(isRemoved);
    if (others.length + named.length === 0 || !isIdle) return removeNamed(it, isRemoved);
    return wordsOfImport(it).every(isMade) ? [removeImport(it)] : [];
  });
  const patterns = patternsIn(file).flatMap(({ elements }) => removeSome(elements, isRemoved));
  return applyEdits(text, [...imports, ...patterns]);
}

/** Whether a text has an imported or destructured name in the same words, or imports from the same path. */
function namesMadeIn(text: string): (words: string) => boolean {
  const file = parseSourceFile(text);
  const imports = listImports(file).flatMap((it) => [
    ...wordsOfImport(it),
    ...namedIn(it).map(printSpecifier),
  ]);
  const elements = patternsIn(file).flatMap((it) => it.elements.map(printSpecifier));
  const made = new Set([...imports, ...elements]);
  return (words) => made.has(words);
}

/** Each name with the path, and the path alone. */
function wordsOfImport(it: ts.ImportDeclaration): readonly string[] {
  const path = it.moduleSpecifier.getText();
  return [path, ...namedIn(it).map((name) => `${printSpecifier(name)} from ${path}`)];
}

const printSpecifier = (node: ts.Node) => node.getText().replace(/^type\s/, '');

/** `const { list, create } = operations` */
function patternsIn(node: ts.Node): readonly ts.ObjectBindingPattern[] {
  const found: ts.ObjectBindingPattern[] = [];
  const visit = (it: ts.Node): void => {
    if (ts.isVariableDeclaration(it) && ts.isObjectBindingPattern(it.name)) found.push(it.name);
    ts.forEachChild(it, visit);
  };
  visit(node);
  return found.filter(({ elements }) => !elements.some((it) => it.dotDotDotToken));
}

/** Names that a text uses without declaring them, and that another text declares. */
export function listUndeclaredNames(text: string, other: string): readonly string[] {
  const [ours, theirs] = [typescriptLanguage.readNames(text), typescriptLanguage.readNames(other)];
  if (!ours || !theirs) return [];
  return [...ours.used].filter((name) => !ours.declared.has(name) && theirs.declared.has(name));
}

/** Where a text uses such names. */
export function undeclaredUses(text: string, other: string) {
  return listUndeclaredNames(text, other).flatMap((name) =>
    listIdentifiers(name, parseSourceFile(text)).map((node) => ({ name, at: node.getStart() })),
  );
}

function listImports(file: ts.SourceFile): readonly ts.ImportDeclaration[] {
  return file.statements.filter((it) => ts.isImportDeclaration(it));
}

/** Default and namespace imports. */
function otherNames({ importClause }: ts.ImportDeclaration): readonly string[] {
  const bindings = importClause?.namedBindings;
  const whole = bindings && ts.isNamespaceImport(bindings) ? bindings.name : undefined;
  return [importClause?.name, whole].flatMap((it) => it?.text ?? []);
}

/** Adds names to an import of the same module, if there is one of its kind. */
function importNamed(
  file: ts.SourceFile,
  it: ts.ImportDeclaration,
  names: readonly string[],
): Edit {
  const alike = listImports(file).filter(
    (ours) => ours.importClause?.phaseModifier === it.importClause?.phaseModifier,
  );
  const isSame = (ours: ts.ImportDeclaration) =>
    ours.moduleSpecifier.getText() === it.moduleSpecifier.getText();
  const last = [
    ...alike.filter(isSame),
    ...alike.filter((ours) => importsSameName(ours, it)),
  ].flatMap((ours) => namedIn(ours).slice(-1))[0];
  if (last) {
    const gap = /\n[ \t]*$/.exec(last.getFullText().slice(0, -last.getText().length))?.[0] ?? ' ';
    const text = names.map((name) => `,${gap}${name}`).join('');
    return { start: last.end, end: last.end, text };
  }
  const head = /^import\s+(?:type\s+)?/.exec(it.getText())?.[0] ?? 'import ';
  const tail = it.getText().slice(it.getText().lastIndexOf('}') + 1);
  return insertImport(file, `${head}{ ${names.join(', ')} }${tail}`);
}

/** Whether two imports share a name, whatever their paths. */
function importsSameName(ours: ts.ImportDeclaration, it: ts.ImportDeclaration): boolean {
  const names = new Set(namedIn(it).map(importedName));
  return namedIn(ours).some((specifier) => names.has(importedName(specifier)));
}

function importedName({ propertyName, name }: ts.ImportSpecifier): string {
  return (propertyName ?? name).text;
}

/** Inserts after the last import, or before the first statement. */
function insertImport(file: ts.SourceFile, text: string): Edit {
  const last = listImports(file).at(-1);
  const at = last?.end ?? file.statements[0]?.getStart() ?? file.end;
  return { start: at, end: at, text: last ? `\n${text}` : `${text}\n\n` };
}

function removeImport(it: ts.ImportDeclaration): Edit {
  const lineEnd = /^[ \t]*\r?\n/.exec(it.getSourceFile().text.slice(it.end))?.[0] ?? '';
  return { start: it.getStart(), end: it.end + lineEnd.length, text: '' };
}

function removeNamed(
  it: ts.ImportDeclaration,
  isRemoved: (specifier: ts.ImportSpecifier) => boolean,
): readonly Edit[] {
  const all = namedIn(it);
  const { name, namedBindings } = it.importClause ?? {};
  return name && namedBindings && all.length > 0 && all.every(isRemoved)
    ? [{ start: name.end, end: namedBindings.end, text: '' }]
    : removeSome(all, isRemoved);
}

/** Removes some elements, each with the comma beside it. */
function removeSome<T extends ts.Node>(
  all: readonly T[],
  isRemoved: (node: T) => boolean,
): readonly Edit[] {
  const firstKept = all.findIndex((node) => !isRemoved(node));
  return all.flatMap((node, index) => {
    if (!isRemoved(node)) return [];
    const [before, after] = [all[index - 1], all[index + 1]];
    if (before && index > firstKept) return [{ start: before.end, end: node.end, text: '' }];
    return [{ start: node.pos, end: after?.pos ?? node.end, text: '' }];
  });
}
