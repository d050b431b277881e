import { exportedNames } from '../../merge/exported-names.ts';
import type { Alias } from '../aliases.ts';
import { importedBy, type IsThere, replaceImports } from '../relative-imports.ts';

/** What a file of code is to others. */
export interface Code {
  readonly path: string;
  readonly exports: readonly string[];
  /** Files that it imports. */
  readonly imports: readonly string[];
  readonly words: readonly string[];
  /** It only hands on what other files have. */
  readonly isBarrel: boolean;
}

interface Surroundings {
  readonly isThere: IsThere;
  readonly aliases?: readonly Alias[];
}

export function readCode(path: string, text: string, { isThere, aliases }: Surroundings): Code {
  return {
    path,
    exports: [...exportedNames(text)],
    imports: importedBy(path, text, isThere, aliases),
    words: replaceImports(text, () => '').match(/[\p{L}\p{N}_$]+/gu) ?? [],
    isBarrel: isBarrel(text),
  };
}

function isBarrel(text: string): boolean {
  const rest = text
    .replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, '')
    .replace(
      /\bexport\s+(?:type\s+)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})\s*from\s*(['"])[^'"\n]*\1;?/g,
      '',
    );
  return rest.trim() === '' && text.includes('export');
}
