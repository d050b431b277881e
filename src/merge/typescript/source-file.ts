import { ts } from 'ts-morph';
import { remember } from '../../remember.ts';

/** The syntax tree of a text, even if it has errors. */
export const sourceFileOf = remember((text) => ts.createSourceFile('file.ts', text, options, true));

const options = {
  languageVersion: ts.ScriptTarget.Latest,
  // Here, they are ordinary comments.
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};
