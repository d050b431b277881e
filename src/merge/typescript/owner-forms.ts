import type { ThreeTexts } from '../conflict.ts';
import { listChainedCalls, findReceiver } from './keys.ts';
import { withOwnerAlternatives, type ComparedRules, type Respell } from './owner-rules.ts';
import { parseSourceFile } from './source-file.ts';
import { ts } from 'ts-morph';
import { applyEdits, type Edit } from './rename-edits.ts';

/**
 * Rewrites a text of scaffold's in the forms that the owner uses: a function as an arrow, an interface as a type,
 * separate imports of types and values, a named result, the only entry of a rule as one of several.
 */
export function inOwnerForms(
  { ours, base, theirs }: ThreeTexts,
  side: 'base' | 'theirs',
  formerName: Respell = (name) => name,
): string {
  const [text, other] = side === 'base' ? [base, theirs] : [theirs, base];
  const own = {
    statements: parseStatements(ours),
    made: parseStatements(base),
    other: parseStatements(other),
    formerName,
  };
  const edits = parseStatements(text).flatMap((it): readonly Edit[] => {
    if (ts.isFunctionDeclaration(it)) return [...nameResult(it, own), ...asArrow(it, own)];
    if (ts.isInterfaceDeclaration(it)) return writeAsType(it, own);
    if (ts.isVariableStatement(it)) return withOwnerAlternatives(it, own);
    return ts.isImportDeclaration(it) ? splitImport(it, own) : [];
  });
  return applyEdits(text, edits);
}

function parseStatements(text: string): ComparedRules['statements'] {
  return parseSourceFile(text).statements;
}

/** `return open.selectFrom(…);` → `const query = open.selectFrom(…); return query;` */
function nameResult(
  { name, body }: ts.FunctionDeclaration,
  { statements, formerName }: ComparedRules,
) {
  const own = statements.find(
    (it) => ts.isFunctionDeclaration(it) && it.name?.text === formerName(name?.text ?? ''),
  );
  const result = body?.statements.find((it) => ts.isReturnStatement(it));
  if (!own || !ts.isFunctionDeclaration(own) || !result?.expression) return [];
  const value = result.expression;
  const named = own.body?.statements
    .flatMap((it) => (ts.isVariableStatement(it) ? it.declarationList.declarations : []))
    .find(
      ({ initializer }) => begins(value) !== undefined && begins(initializer) === begins(value),
    );
  const text = named?.name.getText();
  const isReturned = own.body?.statements.some(
    (it) => ts.isReturnStatement(it) && text !== undefined && beginsWith(it.expression, text),
  );
  if (!isReturned || text === undefined) return [];
  const start = { start: result.getStart(), end: value.getStart(), text: `const ${text} = ` };
  const indent = /[ \t]*$/.exec(result.getFullText().slice(0, result.getStart() - result.pos))?.[0];
  return [start, { start: value.end, end: value.end, text: `;\n${indent}return ${text}` }];
}

/** `database.selectFrom` */
function begins(node: ts.Node | undefined): string | undefined {
  return node && listChainedCalls(node)[0]?.expression.getText().replace(/\s/g, '');
}

function beginsWith(node: ts.Expression | undefined, name: string): boolean {
  const object = node && (listChainedCalls(node)[0] ?? node);
  return (object && (findReceiver(object) ?? object).getText()) === name;
}

/** `function f(a) { return b; }` → `const f = (a) => b;` */
function asArrow(
  node: ts.FunctionDeclaration,
  { statements, formerName }: ComparedRules,
): readonly Edit[] {
  const { name, body, asteriskToken, parameters } = node;
  const arrow = name && statements.flatMap((it) => readArrow(it, formerName(name.text)))[0];
  const hasThis = parameters.some((it) => it.name.getText() === 'this');
  if (!arrow || !body || asteriskToken || hasThis) return [];
  const async = node.modifiers?.find((it) => it.kind === ts.SyntaxKind.AsyncKeyword);
  const start = (async ?? tokenIn(node, ts.SyntaxKind.FunctionKeyword) ?? node).getStart();
  const head = { start, end: name.end, text: `const ${name.text} = ${async ? 'async ' : ''}` };
  const result = ts.isBlock(arrow.body) ? undefined : returned(body);
  const bodyStart = { start: body.getStart(), end: body.getStart(), text: '=> ' };
  if (!result) return [head, bodyStart, { start: body.end, end: body.end, text: ';' }];
  const isObject = ts.isObjectLiteralExpression(result);
  const text = isObject ? `(${result.getText()})` : result.getText();
  return [head, { start: body.getStart(), end: body.end, text: `=> ${text};` }];
}

const tokenIn = (node: ts.Node, wanted: ts.SyntaxKind) =>
  node.getChildren().find(({ kind }) => kind === wanted);

function readArrow(statement: ts.Statement, name: string): readonly ts.ArrowFunction[] {
  if (!ts.isVariableStatement(statement)) return [];
  const [declaration, other] = statement.declarationList.declarations;
  const value = declaration?.initializer;
  const isIt = !other && declaration?.name.getText() === name;
  return isIt && value && ts.isArrowFunction(value) ? [value] : [];
}

/** The returned expression of a body that only returns and has no comments. */
function returned(body: ts.Block): ts.Expression | undefined {
  const [only, other] = body.statements;
  if (!only || other || !ts.isReturnStatement(only)) return undefined;
  return /\/[/*]/.test(body.getText()) ? undefined : only.expression;
}

/** `interface A { b: c }` → `type A = { b: c };` */
function writeAsType(
  node: ts.InterfaceDeclaration,
  { statements, formerName }: ComparedRules,
): readonly Edit[] {
  const { name, heritageClauses = [] } = node;
  const former = formerName(name.text);
  const isOwn = statements.some((it) => ts.isTypeAliasDeclaration(it) && it.name.text === former);
  if (!isOwn) return [];
  const keyword = tokenIn(node, ts.SyntaxKind.InterfaceKeyword);
  const brace = tokenIn(node, ts.SyntaxKind.OpenBraceToken);
  if (!keyword || !brace) return [];
  const parents = heritageClauses.flatMap(({ types }) => types.map((it) => `${it.getText()} & `));
  const start = heritageClauses[0]?.getStart() ?? brace.getStart();
  return [
    { start: keyword.getStart(), end: keyword.end, text: 'type' },
    { start, end: brace.getStart(), text: `= ${parents.join('')}` },
    { start: node.end, end: node.end, text: ';' },
  ];
}

/** `import { a, type B } from 'c'` → `import type { B } from 'c'; import { a } from 'c';` */
function splitImport(
  node: ts.ImportDeclaration,
  { statements, formerName }: ComparedRules,
): readonly Edit[] {
  const { importClause: clause, moduleSpecifier } = node;
  const named = clause?.namedBindings;
  if (!clause || clause.isTypeOnly || !named || !ts.isNamedImports(named)) return [];
  const module = formerName(`"${literalName(moduleSpecifier)}"`);
  const [first, second, third] = statements.flatMap((it) => importsFrom(it, module));
  const types = named.elements.filter((it) => it.isTypeOnly);
  const isApart = first && second && !third && first.isTypeOnly !== second.isTypeOnly;
  if (!isApart || types.length === 0) return [];
  const values = named.elements.filter((it) => !it.isTypeOnly);
  const from = `from ${moduleSpecifier.getText()};`;
  const names = [clause.name?.text ?? '', values.length > 0 ? braced(values) : ''].filter(Boolean);
  const typeImport = `import type ${braced(types)} ${from}`;
  const valueImports = names.length > 0 ? [`import ${names.join(', ')} ${from}`] : [];
  const both = first.isTypeOnly ? [typeImport, ...valueImports] : [...valueImports, typeImport];
  return [{ start: node.getStart(), end: node.end, text: both.join('\n') }];
}

function importsFrom(statement: ts.Statement, module: string): readonly ts.ImportClause[] {
  if (!ts.isImportDeclaration(statement) || !statement.importClause) return [];
  return `"${literalName(statement.moduleSpecifier)}"` === module ? [statement.importClause] : [];
}

const literalName = (literal: ts.Expression) => literal.getText().slice(1, -1);

function braced(names: readonly ts.ImportSpecifier[]): string {
  return `{ ${names.map((it) => it.getText().replace(/^type /, '')).join(', ')} }`;
}
