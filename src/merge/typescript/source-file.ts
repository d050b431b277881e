import { ts } from 'ts-morph';
import { remember } from '../../remember.ts';

/** The syntax tree of a text, whether it has mistakes or not. */
export const sourceFileOf = remember((text) => ts.createSourceFile('file.ts', text, options, true));

const options = {
  languageVersion: ts.ScriptTarget.Latest,
  // To us they are comments like any other.
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};
