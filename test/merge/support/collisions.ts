import { parseSync } from 'oxc-parser';
import { ts } from 'ts-morph';
import { findAnchor, readAnchors, type Found } from './edits/anchors.ts';
import type { ChangedFile } from './evolutions.ts';
import type { MergedFile } from './trial.ts';

/** An edit that cannot be kept together with what theirs changed: every merge has to say so. */
export interface Collision extends MergedFile {
  readonly name: string;
}

/** All collisions that can be made of one file's change. */
export function makeCollisions(file: ChangedFile): Collision[] {
  const { kind, before: base, after: theirs, renames } = file;
  // What is renamed on one side is the same thing: to change it on the other is not a collision.
  if (kind !== 'ts' || renames.size > 0 || file.otherTemplates) return [];
  const makers = { replaced, deletedByOurs, deletedByTheirs, addedByBoth };
  return Object.entries(makers).flatMap(([way, make]) =>
    make(base, theirs)
      .filter(parses)
      .map((ours) => ({ name: `${file.name}: ${way}`, kind, base, ours, theirs, renames })),
  );
}

function parses(text: string): boolean {
  return parseSync('file.ts', text).errors.length === 0;
}

/** Ours puts something else for a token that theirs replaced or removed. */
function replaced(base: string, theirs: string): string[] {
  const [olds, news] = [readTokens(base), readTokens(theirs)];
  return olds
    .filter(({ text }) => /^['\w]/.test(text) && !keywords.has(text))
    .filter(({ text }) => olds.filter((it) => it.text === text).length === 1)
    .filter(({ text }) => !news.some((it) => it.text === text))
    .map(({ text, start }) => {
      const ours = text.startsWith("'") ? "'of my own'" : /^\d/.test(text) ? '4711' : `my_${text}`;
      return base.slice(0, start) + ours + base.slice(start + text.length);
    });
}

const keywords = new Set([
  'async',
  'await',
  'readonly',
  'type',
  'const',
  'export',
  'true',
  'false',
]);

/** Ours no longer has what theirs changed. Of an import only those names come back that theirs needs: both are kept. */
function deletedByOurs(base: string, theirs: string): string[] {
  return readAnchors(base)
    .filter((it) => isWhole(base, it) && !ts.isImportDeclaration(it.node))
    .filter((it) => {
      const after = findAnchor(theirs, it);
      return after && after.text !== it.text;
    })
    .map(({ start, end }) => dropLines(base, start, end));
}

/** Ours changed what theirs no longer has. */
function deletedByTheirs(base: string, theirs: string): string[] {
  return readAnchors(base)
    .filter((it) => isWhole(base, it) && !findAnchor(theirs, it))
    .flatMap(({ text, start, end }) => {
      const ours = changeFirstName(text);
      return ours ? [base.slice(0, start) + ours + base.slice(end)] : [];
    });
}

/** Ours has, under the same name, something else than theirs. */
function addedByBoth(base: string, theirs: string): string[] {
  return readAnchors(theirs)
    .filter((it) => isWhole(theirs, it) && !findAnchor(base, it))
    .filter(({ node }) => !ts.isImportDeclaration(node))
    .flatMap((it) => {
      const lines = theirs.slice(0, it.start).split('\n');
      const above = lines.at(-2) ?? '';
      const at = base.indexOf(`${above}\n`);
      const ours = changeValue(it);
      if (!ours || at < 0 || above.length < 8 || base.indexOf(above, at + 1) >= 0) return [];
      const place = at + above.length + 1;
      const [end] = /^[;,]?/.exec(theirs.slice(it.end)) ?? [''];
      const edited = `${base.slice(0, place)}${lines.at(-1)}${ours}${end}\n${base.slice(place)}`;
      // The line above may be inside something else, too.
      return findAnchor(edited, it) ? [edited] : [];
    });
}

/** Whether it is on lines of its own. */
function isWhole(text: string, { start, end }: Found): boolean {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  return text.slice(line, start).trim() === '' && /^[;,]?\n/.test(text.slice(end));
}

function dropLines(text: string, start: number, end: number): string {
  return (
    text.slice(0, text.lastIndexOf('\n', start - 1) + 1) + text.slice(text.indexOf('\n', end) + 1)
  );
}

/** A change at the end, so that its key stays: the last name, string or number. */
function changeValue({ text, node }: Found): string | undefined {
  if (!ts.isPropertyAssignment(node) && !ts.isVariableStatement(node)) return undefined;
  const found = [...text.matchAll(/'[^'\n]*'|\b[a-z]\w*\b/gi)].slice(1).at(-1);
  if (!found) return undefined;
  return `${text.slice(0, found.index)}'of my own'${text.slice(found.index + found[0].length)}`;
}

function changeFirstName(text: string): string | undefined {
  const found = [
    ...text.matchAll(
      /'[^'\n]*'|\b(?!const|await|async|return|import|from|type|readonly)[a-z]\w*\b/gi,
    ),
  ].at(-1);
  if (!found) return undefined;
  const ours = found[0].startsWith("'") ? "'of my own'" : `my_${found[0]}`;
  return text.slice(0, found.index) + ours + text.slice(found.index + found[0].length);
}

interface Token {
  readonly text: string;
  readonly start: number;
}

/** Split as the compiler does: a scanner alone takes what follows a template for a part of it. */
function readTokens(text: string): Token[] {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const tokens: Token[] = [];
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(file);
    if (children.length > 0) return children.forEach(visit);
    tokens.push({ text: node.getText(file), start: node.getStart(file) });
  };
  visit(file);
  return tokens;
}
