import { keywords } from './keywords.ts';

/** A name as SQL reads it: quoted where it would be folded, refused or taken for a keyword. */
export function identifierSql(name: string): string {
  const plain = /^[a-z_][a-z0-9_]*$/.test(name) && !keywords.has(name);
  return plain ? name : `"${name.replaceAll('"', '""')}"`;
}

export function identifiersSql(names: readonly string[]): string {
  return names.map(identifierSql).join(', ');
}

/** As many line comments as the text needs; those after the first are indented below it. */
export function paragraphSql(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/u)) {
    if (line !== '' && line.length + word.length >= longestComment) {
      lines.push(line);
      line = ' ';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((it) => `-- ${it}`).join('\n');
}

const longestComment = 100;

/** A line comment that ends where the line does, whatever the text holds. */
export function commentSql(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  if (line.length <= longestComment) return `-- ${line}`;
  const cut = line.slice(0, longestComment).replace(/[\uD800-\uDBFF]$|\s\S*$/, '');
  return `-- ${cut}…`;
}
