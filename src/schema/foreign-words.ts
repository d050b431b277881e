import { operationFacts, operations } from './language.ts';
import type { Node } from './source.ts';

/** What a key of Prisma, Django, TypeORM or JSON Schema is called here. */
interface Meaning {
  /** The key that it stands for, if there is one: it is not reported as missing then. */
  readonly key?: string;
  readonly help: string;
}

/** By the key, in lower case and without `_` and `-`; made from the value that was written. */
export type ForeignKeys = ReadonlyMap<string, (value: Node) => Meaning>;

export function foreignKey(keys: ForeignKeys, name: string, value: Node): Meaning | undefined {
  return keys.get(folded(name))?.(value);
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** The same under another name: the value is repeated, so that the line can be copied. */
function as(key: string) {
  return (value: Node): Meaning => ({ key, help: `write \`${key}: ${sourceOf(value)}\`` });
}

function say(help: string) {
  return (): Meaning => ({ help });
}

/** `true` says what is so anyway, and `false` the opposite of `optional`; or the other way round. */
function presence(required: boolean) {
  return (value: Node): Meaning => {
    const isRequired = (sourceOf(value) !== 'false') === required;
    return {
      help: isRequired
        ? 'remove it: what is not `optional` is required'
        : 'write `optional: true`, or `?` after the type',
    };
  };
}

function sourceOf(value: Node): string {
  return value.kind === 'scalar' ? value.source : '…';
}

type Words = readonly (readonly [string, (value: Node) => Meaning])[];

/** One entry a word, from rows of words that mean the same. */
function table<Thing>(rows: readonly (readonly [string, Thing])[]): ReadonlyMap<string, Thing> {
  return new Map(rows.flatMap(([names, mean]) => names.split(' ').map((name) => [name, mean])));
}

const presences: Words = [
  ['required notnull', presence(true)],
  ['nullable null blank allownull isnullable', presence(false)],
];
const texts: Words = [['comment helptext doc docs documentation', as('description')]];
const declareEnum = 'list the values under `enums:`, and write the name of the list as the type';

export const foreignFieldKeys = table([
  ...presences,
  ...texts,
  ['maxlength length size maximum maxvalue maxlen', as('max')],
  ['minlength minimum minvalue minlen', as('min')],
  ['regex regexp match', as('pattern')],
  ['dbindex indexed', as('index')],
  ['isunique', as('unique')],
  ['defaultvalue', as('default')],
  ['private secret writeonly', as('hidden')],
  ['dbcolumn columnname map', as('column')],
  ['enum choices values oneof', say(declareEnum)],
  [
    'primarykey primary id pk',
    say('remove it: every model has an `id`; its kind is the `id` of the model'),
  ],
  [
    'autonow autonowadd updatedat createdat',
    say('write `default: now`; every model has `created_at` and `updated_at`'),
  ],
  ['format', say('write it as the type: `email`, `url`, `uuid`, `date`, `time` or `datetime`')],
  [
    'references to model foreignkey relation',
    say('a link to another model goes under `relations:`: `author: User`'),
  ],
]);

export const foreignRelationKeys = table([
  ...presences,
  ...texts,
  ['model target references entity class table', as('to')],
  ['type', relationKind],
  ['relatedname backref backpopulates inversedby mappedby inversename as', as('inverse')],
  ['foreignkey dbcolumn columnname', as('column')],
  ['onremove', as('on_delete')],
  ['pivot joinmodel jointable', as('through')],
]);

const kinds = {
  oneToMany: /^(hasmany|onetomany)$/,
  manyToMany: /^(many2many|manytomany|m2m|hasandbelongstomany|belongstomany)$/,
  one: /^(belongsto|hasone|manytoone|onetoone|foreignkey)$/,
};

/** `type: Room` names the model, `type: manyToMany` the kind. */
function relationKind(value: Node): Meaning {
  const kind = folded(sourceOf(value));
  if (kinds.oneToMany.test(kind) || kinds.manyToMany.test(kind)) {
    return { help: 'write `many: true`, on one of the two sides, or `inverse` for the other side' };
  }
  if (kinds.one.test(kind)) {
    return { help: 'remove it: a relation leads to one row unless it says `many: true`' };
  }
  return as('to')(value);
}

/** A kind that stands before the model in a short form, as in `hasMany Post`. */
export function foreignRelation(word: string, rest: string): string | undefined {
  const kind = folded(word);
  const [model = ''] = /^\w*/.exec(rest) ?? [];
  if (kinds.oneToMany.test(kind))
    return `write the relation in \`${model}\`; \`inverse\` there names this side of it`;
  if (kinds.manyToMany.test(kind)) return `write \`${model}[]\``;
  return kinds.one.test(kind) ? `write \`${model}\`` : undefined;
}

export const foreignModelKeys = table([
  ...texts,
  ['columns properties attributes attrs schema', say('write `fields:`')],
  ['belongsto hasmany hasone references associations links edges', say('write `relations:`')],
  ['permissions permission rules policy policies acl auth', say('write `access:`')],
  ['ordering sort order defaultorder defaultsort', as('order_by')],
  ['uniquetogether uniques uniqueconstraints', as('unique')],
  ['index indices', as('indexes')],
  ['primarykey pk idtype', as('id')],
  ['paranoid softdeletes softdeleted', as('soft_delete')],
  ['tablename dbtable map', as('table')],
  ['url route slug resource', as('path')],
  ['operations actions methods routes only', as('endpoints')],
]);

export const foreignTopKeys = table([
  ['name title', (value) => ({ key: 'app', help: `write \`app: { name: ${sourceOf(value)} }\`` })],
  [
    'description',
    (value) => ({ help: `write it in \`app: { name: …, description: ${sourceOf(value)} }\`` }),
  ],
  ['roles', say('write `auth: { roles: […] }`')],
  ['entities tables collections types resources model', say('write `models:`')],
  ['db engine provider dialect datasource', as('database')],
  ['prefix basepath', (value) => ({ help: `write \`api: { prefix: ${sourceOf(value)} }\`` })],
  ['enum', say('write `enums:`')],
]);

const foreignOperations = operations.flatMap((name) =>
  (operationFacts[name].foreign ?? []).map((word) => [word, name] as const),
);

export const foreignAccessKeys = table([
  ...foreignOperations.map(([word, key]) => [word, as(key)] as const),
  ['write', say('write `create`, `update` and `delete`, each with who may')],
  ['any', say('write `read`, `create`, `update` and `delete`, each with who may')],
]);

/** Values that other languages have for a key that takes one of a few words. */
export const foreignChoices: ReadonlyMap<string, string> = new Map([
  ...foreignOperations,
  ...table([
    ['postgresql pg', 'postgres'],
    ['sqlite3', 'sqlite'],
    ['uuidv7 guid', 'uuid'],
    ['cuid2', 'cuid'],
    ['string varchar natural slug', 'text'],
    ['integer bigint serial autoincrement', 'int'],
    ['no_action protect', 'restrict'],
  ]),
]);

export const foreignViewers = table([
  ['everyone everybody anyone anonymous guest all any *', 'write `public`'],
  ['logged_in signed_in loggedin users', 'write `authenticated`'],
  ['private', 'write `owner`, or `admin` where the rows belong to nobody'],
  ['nobody none', 'leave the operation out of `endpoints`, or write `admin`'],
]);
