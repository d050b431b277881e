import { exportedNames } from '../../merge/exported-names.ts';
import { importedBy, type IsThere, replaceImports } from '../relative-imports.ts';

/** What a file of code is to others. */
export interface Code {
  readonly path: string;
  readonly exports: readonly string[];
  /** Files that it imports. */
  readonly imports: readonly string[];
  readonly words: readonly string[];
}

export function readCode(path: string, text: string, isThere: IsThere): Code {
  return {
    path,
    exports: [...exportedNames(text)],
    imports: importedBy(path, text, isThere),
    words: replaceImports(text, () => '').match(/[\p{L}\p{N}_$]+/gu) ?? [],
  };
}
