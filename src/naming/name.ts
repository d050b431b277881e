import { looksPlural, plural, singular } from './plural.ts';

/** The spellings of a model's name, such as `BlogPost`: */
export interface ModelNames {
  /** `BlogPost`: the type. */
  readonly type: string;
  /** `BlogPosts` */
  readonly typePlural: string;
  /** `blogPost`: a variable that holds one. */
  readonly variable: string;
  /** `blogPosts`: a variable that holds many, and the name of the resource. */
  readonly variablePlural: string;
  /** `blog-posts`: the folder below `src/` and the test file's name. */
  readonly folder: string;
  /** `blog post`: in prose. */
  readonly human: string;
  /** `blog posts` */
  readonly humanPlural: string;
  /** `blog_post`: the key column of a join table, without `_id`. */
  readonly snake: string;
  /** `blog_posts`: the default table and path. */
  readonly snakePlural: string;
}

/** `pluralName` replaces the plural of the whole name, in any case style. */
export function spellModel(name: string, pluralName?: string): ModelNames {
  const one = splitWords(name);
  const many = pluralName === undefined ? pluralWords(one) : splitWords(pluralName);
  // `Sheep` is its own plural, so the code needs another word.
  const distinct = one.join(' ') === many.join(' ') ? [...many, 'records'] : many;
  return {
    type: avoid(takenTypes, name, `${name}Record`),
    typePlural: avoid(takenTypes, pascal(distinct), `${name}Records`),
    variable: avoid(reservedWords, camel(one), camel([...one, 'record'])),
    variablePlural: avoid(reservedWords, camel(distinct), camel([...one, 'records'])),
    folder: avoid(takenFolders, many.join('-'), [...one, 'records'].join('-')),
    human: one.join(' '),
    humanPlural: many.join(' '),
    snake: one.join('_'),
    snakePlural: many.join('_'),
  };
}

/** Ways to join the words of a name: `author_id`, `authorId`. */
export const nameCases = ['snake', 'camel'] as const;

export type NameCase = (typeof nameCases)[number];

/** Spells a name in a case: `publishedAt` → `published_at`. */
export function spellName(name: string, nameCase: NameCase): string {
  const words = splitWords(name);
  return nameCase === 'camel' ? camel(words) : words.join('_');
}

/** `openedAt`, `opened_at` → `opened at` */
export const spacedWords = (name: string) => splitWords(name).join(' ');

/** Makes the name of a type from words: `order items` → `OrderItems`. */
export const typeNameLike = (text: string) =>
  (withoutAccents(text).match(/[A-Za-z0-9]+/g) ?? []).map(capitalized).join('');

/** `Größe` → `Grosse` */
export const withoutAccents = (text: string) =>
  text
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '');

/** The field with the key of a to-one relation: `author` → `author_id`. */
export function keyName(relation: string, nameCase: NameCase): string {
  return relation + (nameCase === 'camel' ? 'Id' : '_id');
}

/** The field with the ids of a many-to-many relation: `tags` → `tag_ids`, `relatedPosts` → `relatedPost_ids`. */
export function idsField(relation: string, nameCase: NameCase): string {
  return `${keyName(singularOfLast(relation), nameCase)}s`;
}

/** The column of a join table: `tags` → `tag_id`. */
export function linkColumn(relation: string, nameCase: NameCase): string {
  return spellName(keyName(singularOfLast(relation), nameCase), nameCase);
}

/** `blog-api`, `@acme/blogApi` → `Blog API`. */
export function titleOf(packageName: string): string {
  const parts = splitWords(packageName.replace(/^@[^/]*\//, ''));
  const words = parts.map((word) => (word === 'api' ? 'API' : word)).join(' ');
  return capitalized(words);
}

/** Names of products and standards that are single words: `OAuthClient` becomes `oauth_client`. */
const brands =
  /(?<!\p{Lu})(OAuth|GitHub|GitLab|YouTube|LinkedIn|PayPal|WiFi|IPhone|IPad|IOS|WhatsApp|TikTok|OpenAI|GraphQL|JavaScript|TypeScript|PostgreSQL|MySQL|MongoDB)(?!\p{Ll})/gu;

function splitWords(name: string): readonly string[] {
  const spelled = name.replaceAll(brands, (brand) => capitalized(brand.toLowerCase()));
  const words = spelled.match(/\p{Lu}+(?!\p{Ll})\d*|\p{Lu}?\p{Ll}+\d*|\d+/gu) ?? [name];
  return words.map((word) => word.toLowerCase());
}

function pluralWords(words: readonly string[]): readonly string[] {
  return words.map((word, index) => (index === words.length - 1 ? plural(word) : word));
}

/** `BlogPosts` → `BlogPost`. Undefined for a name that is not plural, such as `SMS`. */
export function singularName(name: string): string | undefined {
  if (/\p{Lu}{2}$/u.test(name)) return undefined;
  return looksPlural(splitWords(name).at(-1) ?? name) ? singularOfLast(name) : undefined;
}

function singularOfLast(name: string): string {
  const last = splitWords(name).at(-1) ?? name;
  const start = name.toLowerCase().lastIndexOf(last);
  const written = name.slice(start);
  const one = singular(last);
  return name.slice(0, start) + written.charAt(0) + one.slice(1);
}

const pascal = (words: readonly string[]) => words.map(capitalized).join('');

function camel(words: readonly string[]): string {
  const joined = pascal(words);
  return uncapitalized(joined);
}

function avoid(taken: ReadonlySet<string>, name: string, instead: string): string {
  return taken.has(name) ? instead : name;
}

/** A variable of an emitted file, different from `taken`: `sent_by` → `sentBy`. */
export function spellVariable(name: string, taken: readonly string[]): string {
  const words = splitWords(name);
  const variable = camel(words);
  const isTaken = reservedWords.has(variable) || taken.includes(variable);
  return isTaken ? camel([...words, 'row']) : variable;
}

/** Folders of `src/` and tests of `test/` in every project, now or formerly, and names that Windows reserves. */
const takenFolders = new Set(
  [
    'auth commands database lib mail pages plugins',
    'after-write app config enums factories openapi routes server standby',
    'aux con nul prn com1 com2 com3 com4 com5 com6 com7 com8 com9',
    'lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9',
  ].flatMap((line) => line.split(' ')),
);

/** Words that cannot name a variable in a strict module, and variables of the emitted files. */
const reservedWords = new Set(
  [
    'app change database enums hasher id operations page reader reply request row server shape t',
    'values viewer',
    'arguments await break case catch class const continue debugger default delete do else enum eval',
    'export extends false finally for function if implements import in instanceof interface let new',
    'null package private protected public return static super switch this throw true try typeof',
    'undefined var void while with yield',
  ].flatMap((line) => line.split(' ')),
);

/** Types that emitted files use besides those of models. */
export const takenTypes: ReadonlySet<string> = new Set(
  [
    'Array Boolean Buffer Date Error Function Infinity Intl Json JSON Map Math NaN Number Object Omit',
    'Partial Pick Promise Proxy Readonly ReadonlyArray Record Reflect RegExp Required Set String',
    'Symbol URL Id Database Reader Connection Transaction Tables Row Resource Field Relation Policy',
    'Rule Condition Term Viewer Role Problem Page Query ListRequest Selection Type Static',
    'FastifyInstance NewRow Password Requester RowChange RowRequest Self TypeBoxTypeProvider',
  ].flatMap((line) => line.split(' ')),
);

export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export const uncapitalized = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
