import type { Problem, Explanation } from './problem.ts';
import type { LineTable } from './source.ts';

/** A bracket or quote without its end. */
interface Unclosed {
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

/** Where the parser names the token that it did not expect. */
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

/** Of what the YAML parser says, by its own code. */
export function syntaxProblem(
  error: {
    readonly code: string;
    readonly message: string;
    readonly pos: readonly [number, number];
  },
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

/** As much of the YAML library's tokens as is looked at. */
interface Token {
  readonly type: string;
  readonly offset: number;
  readonly source?: string;
  readonly start?: unknown;
  readonly end?: unknown;
  readonly value?: Token;
  readonly items?: readonly {
    readonly key?: Token | null | undefined;
    readonly value?: Token | undefined;
  }[];
}

interface Placed {
  readonly token: Token;
  readonly depth: number;
}

/** All tokens that are values, from the outside in and in file order. Walked by hand: a file may be very deep. */
function* tokensIn(roots: readonly Token[]): Generator<Placed> {
  const pending: Placed[] = roots.toReversed().map((token) => ({ token, depth: 0 }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield next;
    const { token, depth } = next;
    const isDocument = token.type === 'document';
    const inside = isDocument
      ? [token.value]
      : (token.items ?? []).flatMap(({ key, value }) => [key, value]);
    for (const value of inside.toReversed()) {
      if (value) pending.push({ token: value, depth: isDocument ? depth : depth + 1 });
    }
  }
}

export function offsetDeeperThan(limit: number, tokens: readonly Token[]): number | undefined {
  for (const { token, depth } of tokensIn(tokens)) if (depth > limit) return token.offset;
  return undefined;
}

/** The innermost bracket or quote without its end: the parser only says where it stopped looking for it. */
export function firstUnclosed(tokens: readonly Token[]): Unclosed | undefined {
  let found: Unclosed | undefined;
  for (const { token } of tokensIn(tokens)) found = findUnclosed(token) ?? found;
  return found;
}

const quotes: Readonly<Record<string, string>> = {
  'double-quoted-scalar': '"',
  'single-quoted-scalar': "'",
};

function findUnclosed({ type, offset, source = '', start, end }: Token): Unclosed | undefined {
  const quote = quotes[type];
  if (quote !== undefined) {
    const isClosed = source.length > 1 && source.endsWith(quote);
    return isClosed ? undefined : { offset, opening: quote };
  }
  if (type !== 'flow-collection' || sourcesOf(end).some((text) => text === '}' || text === ']')) {
    return undefined;
  }
  return { offset, opening: sourcesOf([start]).join('') };
}

function sourcesOf(tokens: unknown): string[] {
  if (!Array.isArray(tokens)) return [];
  return tokens.flatMap((token: unknown) =>
    typeof token === 'object' && token !== null && 'source' in token ? [String(token.source)] : [],
  );
}

/** Families 1xx: the file, its keys and its names. */
export const syntaxCodes: Readonly<Record<string, Explanation>> = {
  SCF101: {
    title: 'The file is not YAML or JSON',
    explanation:
      'The text does not parse, so nothing else can be said about it: this problem is always reported alone. The place is where the parser stopped, or the bracket or quote that is never closed.',
    bad: 'models:\n  Post:\n    fields: { title: string',
    good: 'models:\n  Post:\n    fields: { title: string }',
  },
  SCF102: {
    title: 'Unknown key',
    explanation:
      'Keys are checked, so that a typo is not silently ignored. Keys that start with `x-` are yours: they are kept and reach the OpenAPI document.',
    bad: 'models:\n  Post:\n    feilds: { title: string }',
    good: 'models:\n  Post:\n    fields: { title: string }\n    x-team: editorial',
  },
  SCF103: {
    title: 'A value that is not one of the allowed ones',
    explanation: 'This key takes one of a few words.',
    bad: 'database: mysql',
    good: 'database: postgres',
  },
  SCF104: {
    title: 'A value of the wrong kind',
    explanation:
      'There is a text, a number, a list or a map where another of these is expected. YAML reads `3` as a number and `true` as a boolean: in quotes they are texts.',
    bad: 'enums:\n  Size: [1, 2, 3]',
    good: 'enums:\n  Size: ["1", "2", "3"]',
  },
  SCF105: {
    title: 'Something required is missing',
    explanation:
      'A file needs `version` and `app` with a `name`; a field in its long form needs a `type`, a relation needs `to`.',
    bad: 'models:\n  Post:\n    fields:\n      title: { unique: true }',
    good: 'models:\n  Post:\n    fields:\n      title: { type: string, unique: true }',
  },
  SCF106: {
    title: 'A key is given twice',
    explanation:
      'There is no way to know which of the two is meant. Many YAML readers silently take the last one.',
    bad: 'models:\n  Post:\n    fields:\n      title: string\n      title: text',
    good: 'models:\n  Post:\n    fields:\n      title: string\n      teaser: text',
  },
  SCF107: {
    title: 'An invalid name',
    explanation:
      "Names become columns, tables, types and query parameters without being changed. Models and enums start with a capital letter; fields and relations with any letter; letters, digits and `_` follow. Two underscores together, or one at the end, would be read as the start of a filter's operator (`views__gte`).",
    bad: 'models:\n  blog-post:\n    fields: { title: string }',
    good: 'models:\n  BlogPost:\n    fields: { title: string }',
  },
  SCF108: {
    title: 'A name that is taken',
    explanation:
      'The server has tables and types of its own (`auth_sessions`, `mail_outbox`, `Role`, …), and the databases keep names that start with `sqlite_` or `pg_`.',
    bad: 'models:\n  AuthSession:\n    fields: { device: string }',
    good: 'models:\n  AuthSession:\n    table: device_sessions\n    fields: { device: string }',
  },
  SCF109: {
    title: 'Two things would have one name',
    explanation:
      'Tables, folders and types are compared after pluralising and without regard to case, because SQL, Windows and macOS do. Rename one of them, or set `table:` or `plural:`.',
    bad: 'models:\n  Person:\n    fields: { name: string }\n  People:\n    fields: { name: string }',
    good: 'models:\n  Person:\n    fields: { name: string }\n  Crowd:\n    fields: { name: string }',
  },
  SCF110: {
    title: 'Two things would have one path',
    explanation:
      'Each model is reached at its own path. The server itself answers at `/auth`, `/docs`, `/health` and `/openapi.json`.',
    bad: 'models:\n  Post:\n    path: articles\n  Article:\n    fields: { title: string }',
    good: 'models:\n  Post:\n    path: posts\n  Article:\n    fields: { title: string }',
  },
  SCF111: {
    title: 'A name is too long',
    explanation:
      'PostgreSQL silently cuts identifiers off after 63 bytes, so that two long names become one. Names of indexes and constraints are shortened for you; your own names are not.',
    bad: `models:\n  Post:\n    fields:\n      ${'very_'.repeat(13)}long: string`,
    good: `models:\n  Post:\n    fields:\n      ${'very_'.repeat(3)}long: string`,
  },
  SCF112: {
    title: 'The file is too large',
    explanation:
      'A schema of a hundred models has about 100 KiB. Above 1 MiB it is probably another file.',
    bad: 'scaffold check access.log',
    good: 'scaffold check schema.yaml',
  },
  SCF113: {
    title: 'Values are nested too deeply',
    explanation:
      'The language itself needs about seven levels; defaults of `json` fields may add more, up to 64.',
    bad: `models: ${'['.repeat(70)}${']'.repeat(70)}`,
    good: 'models: {}',
  },
  SCF114: {
    title: 'A YAML alias that cannot be followed',
    explanation:
      'An alias (`*name`) repeats a value that was marked (`&name`) and has ended before it. Together they may repeat 10,000 values: more is a mistake or an attack.',
    bad: 'models:\n  Post:\n    fields: *common',
    good: 'models:\n  Page:\n    fields: &common { title: string }\n  Post:\n    fields: *common',
  },
  SCF115: {
    title: 'More than one YAML document',
    explanation: 'A line `---` starts another document. A schema is one.',
    bad: 'models: {}\n---\nmodels: {}',
    good: 'models: {}',
  },
  SCF116: {
    title: 'A key that is not a text',
    explanation:
      'YAML reads `404:` as a number and `true:` as a boolean. In quotes they are texts.',
    bad: 'enums:\n  Answer:\n    404: Not found',
    good: 'enums:\n  Answer:\n    "404": Not found',
  },
  SCF117: {
    title: 'A character that cannot be stored',
    explanation:
      'NUL and the other control characters, and halves of surrogate pairs, are refused by databases, terminals or JSON. Line ends and tabs are fine in descriptions.',
    bad: 'app: { name: blog, description: "A\\0B" }\nversion: 1',
    good: 'app: { name: blog, description: "A B" }\nversion: 1',
  },
  SCF118: {
    title: 'A YAML tag or directive',
    explanation:
      'Tags (`!name`) can make a reader run code or build other values. A schema is plain text, numbers, lists and maps.',
    bad: 'models: !include models.yaml',
    good: 'models: {}',
  },
  SCF119: {
    title: 'Unknown version of the language',
    explanation: 'This program reads version 1. A newer file needs a newer program.',
    bad: 'version: 2\napp: { name: blog }',
    good: 'version: 1\napp: { name: blog }',
  },
  SCF120: {
    title: 'An invalid app name or path',
    explanation:
      "The app's name is that of an npm package, of its folder and of its database file: small letters, digits and `-`. The prefix is a path like `/api`; a model's `path` is one segment without slashes.",
    bad: 'version: 1\napp: { name: My Blog }',
    good: 'version: 1\napp: { name: my-blog }',
  },
  SCF121: {
    title: 'Too much of one thing',
    explanation:
      'A schema has up to 2,000 models, and a model up to 300 fields and relations: neither databases nor people cope with more.',
    bad: `models:\n  Log:\n    fields: { ${Array.from({ length: 301 }, (_, index) => `f${index}: int`).join(', ')} }`,
    good: 'models:\n  Log:\n    fields: { values: json }',
  },
  SCF122: {
    title: 'A model whose name looks plural',
    explanation:
      'A model is named for one row: tables, paths and lists get its plural. When the name is meant as it is, give its `plural` too. A warning only.',
    bad: 'models:\n  Posts:\n    fields: { title: string }',
    good: 'models:\n  Post:\n    fields: { title: string }',
  },
};
