import { remember } from '../remember.ts';

// Found by expressions at the starts of lines, because some runs read all files of a project: for the 126 of a blog
// this takes 12 ms of a processor, and their syntax trees 0.64 s. A test compares both.

/** Each `import { find as seek } from './rows.ts'`, or export from there. `at`: where a name or the quoted path starts. */
export function linksIn(text: string) {
  return [...text.matchAll(linkPattern)].map(({ 0: whole, 1: word, 3: specifier = '', index }) => {
    const head = whole.slice(0, -specifier.length - 2);
    const names = listSpecifiers(head, index);
    return { isExport: word === 'export', names, specifier, at: index + head.length };
  });
}

const linkPattern = /^\uFEFF?(import|export)\b(?:\s*|[^'"`;=]*?\bfrom\s*)(['"])([^'"\n]+)\2/gm;

/** The names that a text exports, but for those of `exportsMore`. */
export const exportedNames = remember((text): ReadonlySet<string> => {
  const found = [...text.matchAll(exported)].flatMap(([, name, list = '']) =>
    name === undefined ? listSpecifiers(list).map(({ alias }) => alias) : [name],
  );
  return new Set(found);
}, 500);

const exported =
  /^\uFEFF?export\s+(?:(?:declare\s+|async\s+|abstract\s+)*(?:const|let|var|function\*?|class|interface|type|enum)\s+([\p{L}\p{N}_$]+)|(?:type\s*)?(\{[^}]*\}))/gmu;

/** Whether it has exports whose names are hard to determine. */
export const exportsMore = (text: string) => unclear.test(text);

const unclear =
  /^export\s+(?:=|(?:type\s+)?\*|(?:declare\s+)?(?:const|let|var)\s*[{[]|(?:declare\s+)?(?:namespace|module)\b|import\b)/m;

/** Those between braces. */
function listSpecifiers(list: string, start = 0) {
  const code = list.replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, (it) => ' '.repeat(it.length));
  return [...code.matchAll(namedPattern)].map(({ 1: name = '', 2: alias = name, index }) => ({
    name,
    alias,
    at: start + index,
  }));
}

const namedPattern =
  /(?<=[{,]\s*(?:type\s+)?)(?!type\s+[\p{L}_$])([\p{L}\p{N}_$]+)(?:\s+as\s+([\p{L}\p{N}_$]+))?/gu;
