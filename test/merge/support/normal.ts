import { format } from 'prettier';

/** A text without anything that a formatter could change, with imports and their names sorted. */
export async function normal(text: string): Promise<string> {
  const plain = await format(text, {
    parser: 'typescript',
    printWidth: 100_000,
    objectWrap: 'collapse',
    trailingComma: 'none',
    singleQuote: true,
  });
  const lines = plain
    .replace(/^import .*;$/gm, sortNames)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const imports = lines.filter((line) => line.startsWith('import ')).toSorted();
  const others = lines.filter((line) => !line.startsWith('import '));
  // Within a template of HTML, lines end where they did before: it is the same only without spaces.
  return [...imports, ...others].join('').replaceAll(/\s+/g, '');
}

function sortNames(line: string): string {
  return line.replace(
    /\{ (.*) \}/,
    (_, names: string) => `{ ${names.split(', ').toSorted().join(', ')} }`,
  );
}

/** The lines of a text with everything on a line of its own, sorted: the same whatever the order. */
export async function sorted(text: string): Promise<string> {
  const long = await format(text, { parser: 'typescript', printWidth: 1, singleQuote: true });
  const lines = long.split('\n').map((line) => line.trim().replace(/[,;]$/, ''));
  return lines.filter(Boolean).toSorted().join('\n');
}

/** Another formatter's settings. */
export function reformat(text: string): Promise<string> {
  return format(text, {
    parser: 'typescript',
    semi: false,
    useTabs: true,
    printWidth: 80,
    trailingComma: 'none',
    arrowParens: 'avoid',
  });
}
