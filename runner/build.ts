import { existsSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { ts } from 'ts-morph';
import type { Engine } from '../src/types/field-type.ts';

const home = import.meta.dirname;

/**
 * Texts by their names in `migrations/` of a project: the modules of this folder without their types, as one file with
 * everything that a start needs, and one for each module that `import()` loads.
 */
export async function buildRunner(engine: Engine): Promise<ReadonlyMap<string, string>> {
  const entry = join(home, engine, 'migrate.ts');
  const main = inOrder(entry);
  const later = [...new Set(main.flatMap(loadedLater))].map((path) => {
    const paths = inOrder(path).filter((it) => !main.includes(it));
    return { path, paths, taken: takenFrom(main, paths) };
  });
  const files = new Map<string, string>();
  const exported = later.flatMap(({ taken }) => taken);
  files.set('migrate.js', await joinModules(main, { heading: headingOfAll, entry, exported }));
  for (const { path, paths, taken } of later) {
    const name = basename(path, '.ts');
    files.set(
      `${name}.js`,
      await joinModules(paths, { heading: printHeading(name), entry: path, taken }),
    );
  }
  files.set('migrate.d.ts', buildDeclarations(engine));
  return files;
}

interface Joined {
  readonly heading: string;
  /** The module whose exports are kept. */
  readonly entry: string;
  /** Exports that other files need too. */
  readonly exported?: readonly string[];
  /** What this file imports from `migrate.js`. */
  readonly taken?: readonly string[];
}

async function joinModules(
  paths: readonly string[],
  { heading, entry, exported = [], taken = [] }: Joined,
): Promise<string> {
  const modules = paths.map((path) => readModule(path, path === entry));
  const own = taken.length === 0 ? '' : `import { ${taken.join(', ')} } from './migrate.js';\n`;
  const imports = joinImports(modules.flatMap((module) => module.imports)) + own;
  const parts = modules.map(({ name, text }) => `// ${name}\n\n${text.trim()}\n`);
  const text = [heading, imports, ...parts].join('\n');
  const others = exported.filter((name) => !listExports(text).includes(name));
  const end =
    others.length === 0
      ? ''
      : `\n/** For what is loaded later. */\nexport { ${others.join(', ')} };\n`;
  const settings = await resolveConfig(join(home, 'x.ts'));
  const formatted = await format(text + end, { ...settings, parser: 'babel' });
  refuseDoubles(formatted, taken);
  return formatted;
}

/** Declarations of what `migrate.js` exports: those that both engines share, and those of one engine. */
function buildDeclarations(engine: Engine): string {
  const files = [join(home, 'declared.d.ts'), join(home, engine, 'declared.d.ts')];
  return files
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

export function runnerFile(engine: Engine, name: string): string {
  return join(home, '../templates', engine, 'migrations', name);
}

const headingOfAll = `// The program that applies migrations, made by scaffold and replaced as a whole when it is newer: not to be edited.
// \`node migrations/migrate.js migrate|status|baseline|rollback|squash\`, with DATABASE_URL; the server and its commands call it, too.
`;

const printHeading = (
  command: string,
) => `// What \`migrate.js ${command}\` alone needs, made by scaffold and replaced as a whole when it is newer: not to be edited.

`;

interface Module {
  readonly name: string;
  readonly imports: readonly ts.ImportDeclaration[];
  readonly text: string;
}

/** Sorts modules after those that they import. */
function inOrder(path: string, found: readonly string[] = []): readonly string[] {
  if (found.includes(path)) return found;
  const others = listLinks(path).map((it) => resolveLink(path, it));
  const below = others.reduce((known, other) => inOrder(other, known), found);
  return below.includes(path) ? below : [...below, path];
}

function listLinks(path: string): readonly ts.ImportDeclaration[] {
  return parse(path)
    .statements.filter(ts.isImportDeclaration)
    .filter((it) => isOurs(it) && !it.importClause?.isTypeOnly);
}

function resolveLink(path: string, link: ts.ImportDeclaration): string {
  return join(path, '..', readSpecifier(link));
}

const loading = /\bimport\('(\.\/[\w-]+)\.ts'\)/g;

function loadedLater(path: string): readonly string[] {
  return [...readFileSync(path, 'utf8').matchAll(loading)].map(([, name = '']) =>
    join(path, '..', `${name}.ts`),
  );
}

/** Names that modules of one file import from those of another. */
function takenFrom(main: readonly string[], paths: readonly string[]): readonly string[] {
  const names = paths.flatMap((path) =>
    listLinks(path)
      .filter((link) => main.includes(resolveLink(path, link)))
      .flatMap(valuesIn),
  );
  return [...new Set(names)].toSorted();
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
}

function readSpecifier({ moduleSpecifier }: ts.ImportDeclaration): string {
  return ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '';
}

function isOurs(declaration: ts.ImportDeclaration): boolean {
  return readSpecifier(declaration).startsWith('.');
}

function readModule(path: string, isEntry: boolean): Module {
  const source = parse(path);
  const imports = source.statements
    .filter(ts.isImportDeclaration)
    .filter((it) => !isOurs(it) && !it.importClause?.isTypeOnly);
  const gone = source.statements.flatMap((it) => erased(it, isEntry));
  const name = relative(home, path).replace(/\.ts$/, '');
  return {
    name: name.includes('/') ? basename(name) : name,
    imports,
    text: withoutTypes(without(source.text, gone)).replaceAll(loading, "import('$1.js')"),
  };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function without(text: string, ranges: readonly Range[]): string {
  const ordered = ranges.toSorted((left, right) => left.start - right.start);
  let [kept, at] = ['', 0];
  for (const { start, end } of ordered) {
    kept += text.slice(at, Math.max(start, at));
    at = Math.max(end, at);
  }
  return kept + text.slice(at);
}

/** Removes types, and exports of every module but the entry. */
function erased(node: ts.Statement, isEntry: boolean): readonly Range[] {
  const whole = { start: node.getFullStart(), end: node.end };
  if (ts.isImportDeclaration(node)) return [whole];
  if (ts.isExportDeclaration(node) && node.exportClause) {
    return isEntry ? [{ start: node.exportClause.end, end: node.end }] : [whole];
  }
  const modifiers = isEntry || !ts.canHaveModifiers(node) ? [] : (ts.getModifiers(node) ?? []);
  return modifiers.filter(isExport).map((it) => ({ start: it.getStart(), end: it.end }));
}

const compilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
};
const blank = '//blank';

/** The compiler keeps comments but no blank lines, so blank lines become comments for a while. */
function withoutTypes(text: string): string {
  const marked = text.replaceAll(/^$/gm, blank);
  const { outputText } = ts.transpileModule(marked, { compilerOptions });
  return outputText.replaceAll(new RegExp(`^ *(?:${blank}|export \\{\\};)$`, 'gm'), '');
}

function joinImports(declarations: readonly ts.ImportDeclaration[]): string {
  const names = new Map<string, ReadonlySet<string>>();
  for (const declaration of declarations) {
    const from = readSpecifier(declaration);
    names.set(from, new Set([...(names.get(from) ?? []), ...valuesIn(declaration)]));
  }
  const lines = [...names].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return lines
    .filter(([, taken]) => taken.size > 0)
    .map(([from, taken]) => `import { ${[...taken].toSorted().join(', ')} } from '${from}';\n`)
    .join('');
}

/** What is imported, without types. */
function valuesIn({ importClause }: ts.ImportDeclaration): readonly string[] {
  const bindings = importClause?.namedBindings;
  const values = bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
  return values.filter((it) => !it.isTypeOnly).map((it) => it.getText());
}

/** Throws if two modules declare the same name, since they share one file. */
function refuseDoubles(text: string, taken: readonly string[]): void {
  const names = [...taken, ...parseStatements(text).flatMap(declaredBy)];
  const doubles = names.filter((name, index) => names.indexOf(name) !== index);
  if (doubles.length > 0) throw new Error(`Declared twice in runner/: ${doubles.join(', ')}.`);
}

function listExports(text: string): readonly string[] {
  return parseStatements(text).flatMap((it) => {
    if (ts.isExportDeclaration(it) && it.exportClause && ts.isNamedExports(it.exportClause))
      return it.exportClause.elements.map(({ name }) => name.text);
    const isExported = ts.canHaveModifiers(it) && ts.getModifiers(it)?.some(isExport);
    return isExported ? declaredBy(it) : [];
  });
}

const isExport = ({ kind }: ts.Modifier) => kind === ts.SyntaxKind.ExportKeyword;

function parseStatements(text: string): readonly ts.Statement[] {
  return [...ts.createSourceFile('migrate.js', text, ts.ScriptTarget.Latest).statements];
}

function declaredBy(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(namesIn);
  const isNamed = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}

function namesIn({ name }: ts.VariableDeclaration | ts.BindingElement): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((it) => (ts.isBindingElement(it) ? namesIn(it) : []));
}
