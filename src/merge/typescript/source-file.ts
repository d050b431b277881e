import { ts } from 'ts-morph';
import { remember } from '../../remember.ts';

/** Parses a text, even with syntax errors. */
export const parseSourceFile = remember((text) =>
  ts.createSourceFile('file.ts', text, options, true),
);

const options = {
  languageVersion: ts.ScriptTarget.Latest,
  // JSDoc comments are ordinary comments here.
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};
