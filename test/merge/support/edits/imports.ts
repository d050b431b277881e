import { ts } from 'ts-morph';
import { at, atSame, type Kind } from './kind.ts';
import { renameImport } from './rename-changes.ts';
import { splice } from './splice.ts';

/** What is done to imports. */
export const imports: Readonly<Record<string, Kind>> = {
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
  'an import by another path': at(
    ({ node, text }) => ts.isImportDeclaration(node) && /'\.\.\/.*';$/.test(text),
    (text, { start, end }) => {
      const path = text.indexOf("'../", start);
      return path > start && path < end ? splice(text, path, path + 4, "'#") : undefined;
    },
  ),
  'an import under another name': atSame(({ node }) => ts.isImportDeclaration(node), renameImport),
  'imports sorted': () => sortImports,
};

function sortImports(text: string): string | undefined {
  const lines = text.split('\n');
  const places = lines.flatMap((line, index) => (/^import .*;$/.test(line) ? [index] : []));
  const sorted = places.map((index) => lines[index] ?? '').toSorted();
  for (const [index, place] of places.entries()) lines[place] = sorted[index] ?? '';
  return lines.join('\n');
}
