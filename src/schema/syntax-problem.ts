import type { LineTable } from './lines.ts';
import type { Problem } from './problem.ts';

/** What the YAML parser says, by its own code. */
interface Complaint {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

/** A bracket or quote without its end. */
export interface Unclosed {
  readonly offset: number;
  readonly opening: string;
}

/** The parser's codes in our users' words; what is not here keeps the parser's own sentence. */
const wordings: Readonly<Record<string, { readonly message?: string; readonly help: string }>> = {
  TAB_AS_INDENT: {
    message: 'a line is indented by a tab',
    help: 'YAML is indented by spaces only',
  },
  BAD_INDENT: { help: 'entries of one map start in the same column' },
  BAD_SCALAR_START: { help: 'put the value in quotes' },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a second `: ` stands on this line',
    help: 'put the value in quotes, or start a new line',
  },
  MISSING_CHAR: { help: 'is a quote, a bracket, a comma or a colon missing?' },
  BAD_DQ_ESCAPE: { help: 'use single quotes, where a backslash is only a backslash' },
  TAG_RESOLVE_FAILED: {
    message: 'YAML tags are not used here',
    help: 'remove the tag that starts with `!`',
  },
  BAD_DIRECTIVE: {
    message: 'YAML directives are not used here',
    help: 'remove the line that starts with `%`',
  },
};

/** Where the parser tells by a token's name what it did not expect. */
const unexpected: Readonly<Record<string, { readonly message: string; readonly help: string }>> = {
  'flow-seq-start': {
    message: 'a `[` follows a word inside `{ … }`',
    help: "put the value in quotes, like `'Post[]'`",
  },
};

const codes: Readonly<Record<string, string>> = {
  TAG_RESOLVE_FAILED: 'SCF118',
  BAD_DIRECTIVE: 'SCF118',
};

const closings: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

export function syntaxProblem(
  error: Complaint,
  { lines, unclosed }: { readonly lines: LineTable; readonly unclosed: Unclosed | undefined },
): Problem {
  if (unclosed !== undefined) return unclosedProblem(unclosed, lines);
  const [, token = ''] = /^Unexpected ([a-z-]+) /.exec(error.message) ?? [];
  const wording = wordings[error.code] ?? unexpected[token];
  const [start, end] = error.pos;
  return {
    code: codes[error.code] ?? 'SCF101',
    severity: 'error',
    message:
      wording?.message ?? `${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`,
    position: lines.at(start, end),
    help: wording?.help ?? 'the file must be YAML 1.2 or JSON',
  };
}

function unclosedProblem({ offset, opening }: Unclosed, lines: LineTable): Problem {
  const closing = closings[opening] ?? opening;
  return {
    code: 'SCF101',
    severity: 'error',
    message: `this \`${opening}\` is never closed`,
    position: lines.at(offset, offset + 1),
    help: `put a \`${closing}\` where it ends`,
  };
}
