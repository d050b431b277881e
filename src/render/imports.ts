import { fitsIn } from '../display-width.ts';
import { remember } from '../remember.ts';
import { lineWidth } from './break-lines.ts';

/** Removes unused imports, so that a template can import what any form of its output needs. */
export const withoutUnusedImports = remember((module) => {
  const used = listUsedNames(module.replace(importStatement, ''));
  return module.replace(importStatement, (statement, type, list, whole, from) => {
    if (whole !== undefined) return used.has(whole) ? statement : '';
    const names: readonly string[] = list.split(',').map((name: string) => name.trim());
    const kept = names.filter((name) => used.has(name.split(' ').at(-1) ?? ''));
    return kept.length === 0 ? '' : printImport(type, kept, from);
  });
}, 500);

/** Names that code uses, not counting its imports. */
export function listUsedNames(code: string): ReadonlySet<string> {
  const bare = code
    .replace(commentLine, '')
    .replace(literalPattern, (text) => (text.startsWith('`') ? text : "''"));
  return new Set(bare.match(identifierPattern));
}

const importStatement = /^import( type)? (?:\{([^}]*)\}|\* as (\w+)) from ('[^']+');\n/gm;
/** Ignores the text of strings, but not the placeholders of template literals. */
const literalPattern =
  /`(?:\\.|\$\{(?:[^`}]|`(?:\\.|[^`\\])*`)*\}|[^`\\])*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/gu;
const commentLine = /^ *(?:\/\/|\/\*|\*).*/gm;

/** Leaves out members, as in `row.name` and `{ name: 1 }`, and words of template literals. */
const identifierPattern = /(?<![\p{L}\p{N}_$'`]|(?<!\.)\.)[\p{L}\p{N}_$]+(?![\p{L}\p{N}_$:])/gu;

/** Prints an import as prettier would. `type` comes first if all names are types. */
function printImport(type = '', names: readonly string[], from: string): string {
  const areTypes = names.every((name) => name.startsWith('type '));
  const [word, list] = areTypes ? [' type', names.map((name) => name.slice(5))] : [type, names];
  const line = `import${word} { ${list.join(', ')} } from ${from};`;
  if (fitsIn(lineWidth, line) || list.length === 1) return `${line}\n`;
  return [`import${word} {`, ...list.map((name) => `  ${name},`), `} from ${from};\n`].join('\n');
}
