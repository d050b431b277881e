/** What somebody does to a file of theirs on an ordinary day: one place, in words of their own that begin with `own`. */
export interface OrdinaryEdit {
  readonly name: string;
  /** Files of which it is an edit. */
  readonly path: RegExp;
  /** Two ways to write it. */
  readonly spellings: readonly [Change, Change];
  /** Whether it puts what was made at another place. */
  readonly isSpread?: boolean;
}

/** What is found and what replaces it, in the file or in its first function whose name begins like this. */
export type Change = readonly [find: RegExp, by: string, start?: string | undefined];

/** The file with the edit; undefined where there is nothing to edit. */
export function applyChange(text: string, [find, by, start]: Change): string | undefined {
  const whole = partOf(text, start);
  return find.test(whole) ? text.replace(whole, () => whole.replace(find, by)) : undefined;
}

/** What is found, as it stands there; empty, too, where there is nothing but a place. */
export function findPlace(
  text: string,
  [find, start]: readonly [find: RegExp, start: string | undefined],
): string {
  const found = [
    ...partOf(text, start).matchAll(new RegExp(find, `${find.flags.replace('g', '')}g`)),
  ];
  return found
    .slice(0, find.global ? undefined : 1)
    .map(([it]) => it)
    .join('\n');
}

function partOf(text: string, start: string | undefined): string {
  if (start === undefined) return text;
  const form = new RegExp(`^(?:export )?(?:async )?function ${start}[^]*?^\\}\\n`, 'm');
  return form.exec(text)?.[0] ?? '';
}

const either = (
  path: RegExp,
  name: string,
  ...spellings: readonly [Change, Change]
): OrdinaryEdit => ({
  name,
  path,
  spellings,
});

const spread = (edited: OrdinaryEdit): OrdinaryEdit => ({ ...edited, isSpread: true });

/** The same place, in two texts. */
const edit = (
  path: RegExp,
  name: string,
  find: RegExp,
  ...[one, another]: readonly [string, string]
): OrdinaryEdit => either(path, name, [find, one], [find, another]);

const inside = (
  path: RegExp,
  start: string,
  name: string,
  find: RegExp,
  ...[one, another]: readonly [string, string]
): OrdinaryEdit => either(path, name, [find, one, start], [find, another, start]);

const queries = /^src\/\w+\/queries\.ts$/;
const routes = /^src\/\w+\/routes\.ts$/;
const schema = /^src\/\w+\/schema\.ts$/;
const policy = /^src\/\w+\/policy\.ts$/;
const all = /^src\/routes\.ts$/;
const tables = /tables\.ts$/;
const enums = /^src\/enums\.ts$/;
const tests = /^test\/\w+\.test\.ts$/;
const factory = /^test\/factory\.ts$/;
const seed = /^seeds\/seed\.ts$/;

const condition = `where('created_at', '<>', 'own_first')`;

const ofQueries: readonly OrdinaryEdit[] = [
  edit(
    queries,
    'a condition of the list',
    /(?<=defineList\(\w+)(?=\))/,
    `, { rows: (rows) => rows.${condition} }`,
    `, {\n  rows(rows) {\n    return rows.${condition};\n  },\n}`,
  ),
  edit(
    queries,
    'an order of the list',
    /(?<=defineList\(\w+)(?=\))/,
    `, {\n  rows: (rows, { isOrdered }) => (isOrdered ? rows : rows.orderBy(ownOrder)),\n}`,
    `, { rows: (rows, scope) => { if (scope.isOrdered) return rows; return rows.orderBy(ownOrder); } }`,
  ),
  edit(
    queries,
    'a join in the list',
    /(?<=defineList\(\w+)(?=\))/,
    `, { rows: (rows) => rows.innerJoin('auth_limits', ownJoin).where(ownWhere) }`,
    `, {\n  rows: (rows) =>\n    rows\n      .innerJoin('auth_limits', ownJoin)\n      .where(ownWhere),\n}`,
  ),
  edit(
    queries,
    'a condition of one row',
    /(?<=defineFind\(\w+)(?=\))/,
    `, { rows: (rows) => rows.${condition} }`,
    `, {\n  rows(rows) {\n    return rows.${condition};\n  },\n}`,
  ),
  edit(
    queries,
    'a call around the list',
    /(?<=export const list\w+ = )(defineList\(\w+\));/,
    'ownTraced($1);',
    '(ownTraced)(\n  $1,\n);',
  ),
  edit(
    queries,
    'a value of a new row',
    /(?<=\.values\(\{ )/,
    'created_at: ownNow(), ',
    '\n        // own words\n        created_at: ownNow(),\n        ',
  ),
  edit(
    queries,
    'a value of a new row, last',
    /(?<=\.values\(\{ [^}]*)(?= \}\))/,
    ', ...ownValues()',
    ',\n ...(ownValues()),\n',
  ),
  edit(
    queries,
    'a conflict clause',
    /(?=\n\s*\.returning\('id'\))/,
    '\n      .onConflict(ownClause)',
    '.onConflict((own) => own.doNothing())',
  ),
  edit(
    queries,
    'more that is returned',
    /(?<=\.returning\()'id'(?=\))/,
    `['id', 'created_at as own_time']`,
    `[\n'created_at as own_time', 'id']`,
  ),
  inside(
    queries,
    'create',
    'a check before a new row',
    /(?=^ {2}return creating)/m,
    '  ownCheck(input);\n',
    `  if (!ownCheck(input)) {\n    throw ownProblem('own words');\n  }\n`,
  ),
  inside(
    queries,
    'create',
    'a check in the transaction',
    /(?<=async \(open\) => \{\n)/,
    '    await ownCheck(open);\n',
    `    if (await ownCheck(open)) throw ownProblem('own words');\n`,
  ),
  inside(
    queries,
    'create',
    'a statement after a new row',
    /(?=^ {4}return id)/m,
    '    await ownNote(open);\n',
    `    await open.insertInto('auth_limits').values(ownValues()).execute();\n`,
  ),
  inside(
    queries,
    'create',
    'what comes in, tidied',
    /(?<=\.\.\.request, )input(?= \})/,
    'input: ownTidy(input)',
    'input: { ...input, ...ownTidy(input) }',
  ),
  inside(
    queries,
    'create',
    'a parameter',
    /(?<=input: New\w+,\n)(?=\))/,
    `  ownNote = '',\n`,
    '  ownNote?: string,\n',
  ),
  inside(
    queries,
    'update',
    'a value of a change',
    /(?<=\.set\(\{ )/,
    'created_at: ownNow(), ',
    '\n          created_at: ownNow(),\n          ',
  ),
  inside(
    queries,
    'update',
    'a condition of a change',
    /(?=\n\s*\.execute\(\))/,
    `\n      .${condition}`,
    `.${condition}`,
  ),
  inside(
    queries,
    'update',
    'a condition of a change, first',
    /(?=\n\s*\.where\('id')/,
    `\n      .${condition}`,
    `.where((own) => own.or([own('id', '=', ownId), own('id', '=', 7)]))`,
  ),
  inside(
    queries,
    'update',
    'a statement after a change',
    /(?=^ {2}\}\);\n\}\n$)/m,
    '    await ownNote(open);\n',
    '    // own words\n    await ownNote(open, { request });\n',
  ),
  inside(
    queries,
    'update',
    'a statement before a change',
    /(?= {4}await open\n)/,
    '    await ownNote(open);\n',
    '    const own = await ownNote(open);\n    ownCheck(own);\n',
  ),
  inside(
    queries,
    'delete',
    'a statement before a deletion',
    /(?=^ {2}await deleting)/m,
    '  await ownCheck(request);\n',
    `  if (await ownCheck(request)) {\n    throw ownProblem('own words');\n  }\n`,
  ),
  inside(
    queries,
    'delete',
    'a call around a deletion',
    /await (deleting\([^)]*\));/,
    'await ownTraced(() => $1);',
    'try {\n    await $1;\n  } finally {\n    ownNote();\n  }',
  ),
  either(
    queries,
    'a function',
    [/$/, '\nexport function ownQuery() {\n  return 1;\n}\n'],
    [/(?=^export async function create)/m, 'export const ownQuery = () => 1;\n\n'],
  ),
  either(
    queries,
    'an import',
    [/^/, `import { own } from '../own.ts';\n`],
    [/(?=\n\n\/\*\* What the policy)/, `\nimport { own } from '../own.ts';`],
  ),
  either(
    queries,
    'a name in an import',
    [/(?<=import \{[^}]*)(?= \} from '\.\.\/lib\/write\.ts')/, ', requireNewRow as ownRequire'],
    [/(?<=import \{ )(?=[^}]* \} from '\.\.\/lib\/write\.ts')/, 'requireNewRow as ownRequire, '],
  ),
  either(
    queries,
    'a comment',
    [/(?=^export async function create)/m, '// own words\n'],
    [/(?=^export const find)/m, '/** own words */\n'],
  ),
];

/** What is taken out, or said differently. */
const ofOtherWays: readonly OrdinaryEdit[] = [
  either(
    queries,
    'a statement with a name of its own',
    [
      /(?<=^ {4})await (open\s+\.updateTable[^;]*?)\s*\.execute\(\);/m,
      'const ownChange = $1;\n    await ownChange.execute();',
    ],
    [
      /(?<=^ {4})await (open\s+\.updateTable[^;]*?)\s*\.execute\(\);/m,
      'let own = $1;\n    if (ownFlag) own = own.where(ownWhere);\n    await own.execute();',
    ],
  ),
  either(queries, 'another name for what is open', [/\bopen\b/g, 'ownOpen'], [/\bopen\b/g, 'own']),
  either(
    queries,
    'an arrow in place of a function',
    [
      /export async function (create\w+)(\([^)]*\)): (Promise<\w+>) \{([^]*?)^\}\n/m,
      'export const $1 = async $2: $3 => {$4  // own words\n};\n',
    ],
    [
      /export async function (delete\w+)(\([^)]*\)): (Promise<\w+>) \{([^]*?)^\}\n/m,
      'export const $1 = async $2: $3 => {$4  ownNote();\n};\n',
    ],
  ),
  either(
    queries,
    'a function in another place',
    [
      /(export async function create[^]*?^\}\n)\n(export async function update[^]*?^\}\n)/m,
      '$2\n// own words\n$1',
    ],
    [
      /(export async function create[^]*?^\}\n)\n(export async function update[^]*?^\}\n)/m,
      '$2\n$1\nexport const own = 1;\n',
    ],
  ),
  either(
    queries,
    'other words above a function',
    [/(?<=\/\*\* )What the policy lets.*(?= \*\/)/, 'own words'],
    [/\/\*\* What the policy lets.* \*\/\n/, '// own words\n'],
  ),
  either(
    queries,
    'a function that is used by nobody but its owner',
    [/(?<=^ {4}return )id(?=;)/m, 'ownNote(id)'],
    [/(?<=^ {4}const \{ )id(?= \} = await)/m, 'id, ...own'],
  ),
  either(
    routes,
    'a route less',
    [/ {2}app\.patch\([^]*?^ {2}\}\);\n\n/m, '  // own words\n\n'],
    [/ {2}app\.delete\([^]*?^ {2}\}\);\n/m, '  ownRoutes(app);\n'],
  ),
  either(
    routes,
    'routes in another order',
    [
      /( {2}app\.patch\([^]*?^ {2}\}\);\n)\n( {2}app\.delete\([^]*?^ {2}\}\);\n)/m,
      '$2\n  // own words\n$1',
    ],
    [
      /( {2}app\.get\('\/',[^]*?^ {2}\}\);\n)\n( {2}app\.post\('\/',[^]*?^ {2}\}\);\n)/m,
      '$2\n$1  ownNote();\n',
    ],
  ),
  either(
    routes,
    'another name for a row',
    [/\brow\b(?=[,;) ])(?!:)/g, 'ownRow'],
    [/\bpage\b/g, 'own'],
  ),
  either(
    routes,
    'a value without its name',
    [
      / {4}const page = (await list[^]*?);\n {4}return sendPage\(reply, page\)/,
      '    return sendPage(reply, $1, ownFlag)',
    ],
    [
      / {4}const row = (await find[^]*?\));\n {4}return sendRow\(reply, (\w+), row\);/,
      '    return sendRow(reply, $2, ownRow($1));',
    ],
  ),
  spread(
    either(
      routes,
      'a handler with a name',
      [
        / {2}app\.delete\('\/:id', (\{[^}]*\}), (async \(request, reply\) => \{\n[^]*?\n {2}\})\);/,
        `  const ownRemove = $2;\n  app.delete('/:id', $1, ownRemove);`,
      ],
      [
        / {2}app\.get\('\/', (\{[^}]*\}), (async \(request, reply\) => \{\n[^]*?\n {2}\})\);/,
        `  app.get('/', $1, ownHandler($2));`,
      ],
    ),
  ),
  either(
    routes,
    'all in a plugin of ones own',
    [
      /(?<=operations;\n)([^]*)(?=\n\}\n$)/,
      '\n  await app.register(async (own) => {\n    ownNote(own);\n$1\n  });',
    ],
    [/(?<=operations;\n)([^]*)(?=\n\}\n$)/, '\n  if (ownFlag) {\n$1\n  }'],
  ),
  either(
    routes,
    'somebody else is asked first',
    [/(?<=app\.delete\('\/:id', \{ onRequest: )app\.authenticate/, '[app.authenticate, ownGuard]'],
    [/(?<=app\.get\('\/', \{ onRequest: )app\.\w+/, 'ownGuard($&)'],
  ),
  either(
    schema,
    'another order of the list',
    [/(?<=orderBy: )'[^']*'/, `'own_order'`],
    [/(?=^ {2}policy: )/m, `  ownRows: true,\n`],
  ),
  either(
    schema,
    'a field that nobody sends',
    [/^ {4}(?:body|name|slug): (?:Type\.Optional\()?shape\.\w+\)?,\n/m, '    // own words\n'],
    [/(?<=^ {4}(?:body|name|slug): )shape\.(\w+)/m, 'ownShape(shape.$1)'],
  ),
  either(
    schema,
    'an answer of two kinds',
    [/(?<=^export const \w+ = )Type\.Object\(\n([^]*?)^\);/m, 'ownShape(\nType.Object(\n$1));'],
    [/(?<=^export type \w+ = )Static<typeof \w+>/m, '$& & OwnPart'],
  ),
  spread(
    either(
      policy,
      'a rule with a name',
      [
        /(?=\n\/\*\* Who may see)([^]*?update: )(.*)(?=,\n)/,
        '\nconst ownWriters = $2;\n$1ownWriters',
      ],
      [/(?<=list: )(.*)(?=,\n)/, 'ownRule($1)'],
    ),
  ),
  either(
    tests,
    'a suite less',
    [/^describe\('PATCH [^]*?^\}\);\n\n?/m, '// own words\n'],
    [/^describe\('DELETE [^]*?^\}\);\n/m, `describe.skip('own words', () => {});\n`],
  ),
  either(
    tests,
    'another value',
    [/(?<='The first snow|body: ')[^']*(?=')/, ' of own_words'],
    [/(?<=const brief = \{)/, ` /* own words */`],
  ),
  either(
    seed,
    'a column less',
    [/^ {4}\.\.\.draw\.stamps\(\),\n/m, '    // own words\n'],
    [/(?<=^ {4})\.\.\.draw\.stamps\(\)(?=,)/m, '...ownTimes(draw.stamps())'],
  ),
  either(
    factory,
    'a value less',
    [/^ {8}author_id: .*\n/m, '        // own words\n'],
    [/(?<=author_id: )values\.author_id \?\? \(await makeUser\(\)\)\.id/, 'ownAuthor(values)'],
  ),
];

const ofRoutes: readonly OrdinaryEdit[] = [
  either(
    routes,
    'a route last',
    [
      /(?=\n\}\n$)/,
      `\n\n  app.get('/own', async (request, reply) => {\n    return reply.send(await ownRows(request));\n  });`,
    ],
    [/(?=\n\}\n$)/, `\n\n  app.route({ method: 'GET', url: '/own', handler: ownHandler });`],
  ),
  either(
    routes,
    'a route first',
    [/(?= {2}app\.get\('\/',)/, `  app.get('/own', async () => ownRows());\n\n`],
    [/(?= {2}app\.get\('\/',)/, `  app.get('/own', { schema: ownSchema }, ownHandler);\n\n`],
  ),
  either(
    routes,
    'a route between',
    [
      /(?= {2}app\.get\('\/:id',)/,
      `  app.get('/own', { onRequest: app.identify }, async (request, reply) => {\n    return reply.send(ownRows(request));\n  });\n\n`,
    ],
    [/(?= {2}app\.patch\()/, `  app.post('/:id/own', ownHandler);\n\n`],
  ),
  edit(
    routes,
    'a hook',
    /(?=\n {2}app\.get\('\/',)/,
    `\n  app.addHook('onRequest', ownHook);\n`,
    `\n  app.addHook('preHandler', async (request) => {\n    ownCheck(request);\n  });\n`,
  ),
  edit(
    routes,
    'a header',
    /(?= {4}return sendPage)/,
    `    reply.header('own-header', '1');\n`,
    `    void reply.header('own-header', ownValue(page));\n`,
  ),
  edit(
    routes,
    'a log',
    /(?= {4}reply\.code\(201\))/,
    `    request.log.info('own words');\n`,
    `    request.log.info({ row, own: true }, 'own words');\n`,
  ),
  either(
    routes,
    'a limit of a route',
    [/(?<=app\.get\('\/', \{)/, ' preHandler: ownLimit,'],
    [/(?<=app\.get\('\/', \{[^}]*schema: list)(?= \})/, ', preHandler: [ownLimit]'],
  ),
  either(
    routes,
    'an option of a route',
    [/(?<=schema: create)(?= \})/, ', bodyLimit: ownLimit()'],
    [/(?<=app\.post\('\/', \{ )/, 'bodyLimit: ownLimit(), '],
  ),
  edit(
    routes,
    'a statement after a deletion',
    /(?= {4}return reply\.code\(204\))/,
    '    await ownNote();\n',
    '    await ownNote(request.params);\n',
  ),
  edit(
    routes,
    'a statement before a change',
    /(?= {4}const row = await update)/,
    '    await ownCheck(request);\n',
    `    if (ownCheck(request)) return reply.code(418).send();\n`,
  ),
  edit(
    routes,
    'a check of a row',
    /(?<=const row = await find\w+\([^\n]*\n)/,
    '    ownCheck(row);\n',
    `    if (ownCheck(row)) throw ownProblem('own words');\n`,
  ),
  edit(
    routes,
    'the body, tidied',
    /(?<=await update\w+\([^\n]*)request\.body(?=\);)/,
    'ownTidy(request.body)',
    '{ ...request.body, ...ownTidy() }',
  ),
  edit(
    routes,
    'a handler of ones own',
    /(?<=app\.delete\('\/:id', \{[^}]*\}, )async \(request, reply\) => \{\n([^]*?)\n {2}\}(?=\);)/,
    'ownHandler(async (request, reply) => {\n$1\n  })',
    'async (request, reply) => {\n    try {\n$1\n    } catch (error) {\n      throw ownProblem(error);\n    }\n  }',
  ),
  either(
    routes,
    'an import',
    [/^/, `import { own } from '../own.ts';\n`],
    [/(?<=import \{[^}]*)(?= \} from '\.\.\/lib\/reply\.ts')/, ', sendRow as ownSend'],
  ),
  either(
    routes,
    'a comment',
    [/(?= {2}app\.patch)/, '  // own words\n'],
    [/(?= {2}app\.get\('\/',)/, '  /* own words */\n'],
  ),
  either(
    routes,
    'a function',
    [/$/, '\nfunction ownHelper() {\n  return 1;\n}\n'],
    [/(?=export async function)/, 'const ownHelper = () => 1;\n\n'],
  ),
];

const ofShapes: readonly OrdinaryEdit[] = [
  either(
    schema,
    'a rule that looks at several fields',
    [/$/, '\nexport const ownRule = () => true;\n'],
    [/(?=export const \w+Defaults)/, 'export function ownRule() {\n  return true;\n}\n\n'],
  ),
  either(
    schema,
    'a type',
    [/$/, '\nexport type OwnShape = { readonly own: 1 };\n'],
    [/(?=^const shape)/m, 'export interface OwnShape {\n  readonly own: 1;\n}\n\n'],
  ),
  either(
    schema,
    'a description of a field',
    [/(?<=created_at: t\.DateTime\()(?=\))/, `{ description: 'own words' }`],
    [/(?<=created_at: t\.DateTime\()(?=\))/, `{\n description: 'own words',\n title: 'own' }`],
  ),
  either(
    schema,
    'a field of the answer',
    [/(?<=Type\.Object\(\n {2}\{\n)/, '    own_field: Type.String(),\n'],
    [/(?<=^ {4}created_at: t[^\n]*\n)/m, '    own_field: Type.String(),\n'],
  ),
  edit(
    schema,
    'a default',
    /(?<=Defaults\(\)[^]*return \{)/,
    ' own_default: 1,',
    '\n    own_default: 1,\n   ',
  ),
  edit(
    schema,
    'a default, last',
    /(?<=Defaults\(\)[^]*return \{[^}]*?:[^}]*?)(?=,?\s*\};)/,
    ', own_default: 1',
    ', ...ownDefaults()',
  ),
  either(
    schema,
    'a comment',
    [/(?=^const shape)/m, '// own words\n'],
    [/(?=^export const Create)/m, '// own words\n'],
  ),
  either(
    schema,
    'a pattern of a field',
    [/(?<=(?:name|slug|body): t\.\w+\(\{ )(?=m)/, `pattern: '^own', `],
    [/(?<=(?:name|slug|body): t\.\w+\(\{ min: \d+)(?=,| )/, `, pattern: '^own'`],
  ),
  either(
    schema,
    'what a client need not send',
    [/(?<=(?:body|name|slug): )shape\.(\w+)(?=,)/, 'Type.Optional(shape.$1, { own: true })'],
    [/(?=additionalProperties: false)/, `title: 'own', `],
  ),
  either(
    schema,
    'a member of the resource',
    [/(?<=^ {2}fields: .*\n)/m, `  ownMember: ownRule,\n`],
    [/(?=\} as const satisfies Resource)/, `  ...ownMembers(),\n`],
  ),
  either(
    policy,
    'a comment',
    [/(?=^export const)/m, '// own words\n'],
    [/(?= {2}create: )/, '  // own words\n'],
  ),
  either(
    policy,
    'a rule more',
    [/(?=\}\);\n$)/, '  restore: ownRule,\n'],
    [/(?= {2}list: )/, '  restore: ownRule,\n'],
  ),
  either(
    policy,
    'a function',
    [/$/, '\nexport function ownRule() {\n  return true;\n}\n'],
    [/(?=\n\/\*\* Who may see)/, '\nconst ownRule = () => true;\n'],
  ),
  either(
    policy,
    'a rule with a condition of ones own',
    [/(?<= {2}update: )(.*)(?=,\n)/, 'allOf($1, ownRule)'],
    [/(?<= {2}update: )(.*)(?=,\n)/, 'allOf(ownRule, $1)'],
  ),
  either(
    policy,
    'a role more',
    [/(?<= {2}delete: )(.*)(?=,\n)/, `anyOf($1, role('own_role'))`],
    [/(?<= {2}create: )(.*)(?=,\n)/, `anyOf(role('own_role'), $1)`],
  ),
  either(
    policy,
    'a name in an import',
    [/(?<=import \{ )/, 'allOf as ownAll, '],
    [/(?= \} from '\.\.\/lib\/access\.ts')/, ', allOf as ownAll'],
  ),
  either(
    enums,
    'an enum',
    [/$/, `\nexport const OwnMood = ['calm'] as const;\n`],
    [/(?=^export const Role)/m, `export const OwnMood = ['calm'] as const;\n`],
  ),
  either(
    enums,
    'a comment',
    [/(?=^export const Role)/m, '/** own words */\n'],
    [/(?=^export type Role)/m, '// own words\n'],
  ),
];

const ofTheRest: readonly OrdinaryEdit[] = [
  either(
    all,
    'routes of ones own',
    [/(?=\n\}\n$)/, `\n  await app.register(ownRoutes, { prefix: '/own' });`],
    [/(?=\n\}\n$)/, `\n  if (ownFlag) {\n    await app.register(ownRoutes);\n  }`],
  ),
  either(
    all,
    'routes of ones own first',
    [/(?= {2}await app)/, '  await app.register(ownRoutes);\n'],
    [/(?= {2}await app)/, '  ownNote(app);\n'],
  ),
  either(
    all,
    'an option of a registration',
    [/(?<=register\(userRoutes, \{ prefix: '[^']*')(?= \})/, `, logLevel: ownLevel`],
    [/(?<=register\(userRoutes, \{ )(?=prefix)/, `logLevel: ownLevel, `],
  ),
  either(
    all,
    'a comment',
    [/(?= {2}await app)/, '  // own words\n'],
    [/(?= {2}await app\.register\(userRoutes)/, '  // own words\n'],
  ),
  edit(
    tables,
    'a table',
    /(?=^ {2}auth_sessions: \{)/m,
    '  own_rows: {\n    id: number;\n  };\n',
    '  /** own words */\n  own_rows: { id: Generated<number> };\n',
  ),
  edit(
    tables,
    'a table first',
    /(?<=interface Tables \{\n)/,
    '  own_rows: {\n    id: number;\n  };\n',
    '  own_rows: OwnRows;\n',
  ),
  either(
    tables,
    'a column',
    [/(?<=^ {2}(?:posts|tags): \{\n)/m, '    own_column: string | null;\n'],
    [/(?<=^ {2}(?:posts|tags): \{[^}]*)(?=^ {2}\};)/m, '    own_column: string | null;\n'],
  ),
  either(
    tests,
    'a suite',
    [/$/, `\ndescribe('own words', () => {\n  it('own test', () => {});\n});\n`],
    [/(?=^describe\('GET)/m, `describe('own words', () => {\n  ownTests(api);\n});\n\n`],
  ),
  either(
    tests,
    'a test',
    [/(?<=^describe\('POST .*\n)/m, `  ownTest(api);\n\n`],
    [/(?=^\}\);)(?<=^describe\('POST (?:(?!^\}\);)[^])*)/m, `\n  it('own test', () => {});\n`],
  ),
  either(
    tests,
    'a value that is refused',
    [/(?<=const refused = \{\n)/, '  own_value: 7,\n'],
    [/(?=^ {2}nobody_knows_this)/m, '  own_value: 7,\n'],
  ),
  either(
    tests,
    'a value that is sent',
    [/(?<=const full = \{)/, ` own_value: 'own words',`],
    [/(?<=const full = \{[^}]*?)(?=,?\s*\} satisfies)/, `, ...ownValues()`],
  ),
  either(
    tests,
    'a filter more',
    [/(?<= {4}filters: \[\n)/, `      ['own_filter=1', []],\n`],
    [/(?=\n {4}\],\n {4}orders)(?<= {4}filters: \[\n[^]*?)/, `\n      ['own_filter=1', []],`],
  ),
  either(
    tests,
    'an import',
    [/^/, `import { own } from './own.ts';\n`],
    [/(?<=import \{ describe, )/, 'it as ownIt, '],
  ),
  either(
    factory,
    'a row of ones own',
    [
      /(?=^ {2}\/\*\* A new number)/m,
      '  async function makeOwn() {\n    return ownRows(database);\n  }\n\n',
    ],
    [/(?<=return \{[^}]*?)(?=,?\s*\};)/, ', own: ownMaker'],
  ),
  either(
    factory,
    'another value',
    [/(?<=name: )'Clara Cooper'/, `'own name'`],
    [/(?<=name: )'Clara Cooper'/, `ownName('users')`],
  ),
  either(
    seed,
    'rows of ones own',
    [/(?=^ {2}const users)/m, '  await addOwn(database, ownRows);\n'],
    [/(?=\n\];)/, `\n  table('auth_limits', 'own', ownColumns()),`],
  ),
  either(
    seed,
    'what a column holds',
    [/(?<=website: )draw\.maybe\(\(\) => draw\.url\(\)\)/, `ownSite()`],
    [/(?<=views: )draw\.usually\(0, [^]*?\)\)/, `draw.oneOf([1, 2])`],
  ),
  either(
    seed,
    'a comment',
    [/(?=^ {2}table\('users')/m, '  // own words\n'],
    [/(?=^ {2}const users)/m, '  // own words\n'],
  ),
];

const ofOtherTexts: readonly OrdinaryEdit[] = [
  either(
    /^src\/config\.ts$/,
    'a setting',
    [/(?=^ {4}auth: \{)/m, `    ownLimit: read('OWN_LIMIT', whole(1, 9), 5),\n`],
    [/(?<=^ {4}\},\n)(?= {2}\};)/m, `    own: {\n      limit: read('OWN_LIMIT', text, '') },\n`],
  ),
  either(
    /^package\.json$/,
    'a dependency',
    [/(?=^ {4}"kysely")/m, `    "own-package": "^1.0.0",\n`],
    [/(?<="typebox": "[^"]*")/, `,\n    "own-package": "^1.0.0"`],
  ),
  either(
    /^package\.json$/,
    'a script',
    [/(?=^ {4}"build")/m, `    "own": "node own.js",\n`],
    [/(?<="db:seed": "[^"]*")/, `,\n    "own": "node own.js"`],
  ),
  either(
    /^\.env\.example$/,
    'a setting',
    [/$/, '\nOWN_SETTING=1\n'],
    [/(?=^# HOST)/m, '# own words\nOWN_SETTING=1\n'],
  ),
  either(
    /^compose\.yaml$/,
    'a service',
    [/(?=^volumes:)/m, '  own:\n    image: own/image:1\n\n'],
    [/(?<=DOCS: 'on'\n)/, '      OWN_SETTING: 1\n'],
  ),
  either(
    /^README\.md$/,
    'words',
    [/(?=^## Models)/m, '## Of our own\n\nown words\n\n'],
    [/(?<=^\| `npm run db:squash`.*\n)/m, '| `npm run own` | own words |\n'],
  ),
  either(
    /^Dockerfile$/,
    'a line',
    [/(?<=^EXPOSE .*\n)/m, 'LABEL own=words\n'],
    [/(?=^USER node)/m, 'RUN own-words\n'],
  ),
  either(
    /^(?:AGENTS|SECURITY)\.md$/,
    'a line',
    [/$/, '- own words\n'],
    [/(?<=^\| `?[\w-]+`?.*\n)(?=\n)/m, '| own words | own |\n'],
  ),
];

export const ordinaryEdits: readonly OrdinaryEdit[] = [
  ...ofQueries,
  ...ofOtherWays,
  ...ofRoutes,
  ...ofShapes,
  ...ofTheRest,
  ...ofOtherTexts,
];

/** What owners of projects up to 0.4.1 add to the chains of `listedRows` and `readableRow`. */
export const formerEdits: readonly OrdinaryEdit[] = ['listedRows', 'readableRow'].flatMap(
  (name) => {
    const first = /(?<=selectFrom\('\w+'\))/;
    const last = /(?=;\n\}\n$)/;
    const chained = (what: string, place: RegExp, call: string) =>
      inside(queries, name, `${name}: ${what}`, place, call, `\n    ${call}`);
    return [
      chained('a condition first', first, `.where('own_first', '=', 1)`),
      chained('a condition last', last, `.where('own_last', '=', 1)`),
      chained('a join', first, `.innerJoin('own_rows', 'own_rows.id', 'own_id')`),
      chained(
        'a join with more',
        first,
        `.leftJoin('own_rows', (join) => join.onRef('own_rows.id', '=', 'own_id'))`,
      ),
      chained('columns', last, `.select(['own_column'])`),
      chained('an order', last, `.orderBy('own_order', 'desc')`),
      chained(
        'one of two',
        last,
        `.where((eb) => eb.or([eb('own_a', '=', 1), eb('own_b', '=', 2)]))`,
      ),
      chained('a scope', last, '.$call(ownScope)'),
      inside(
        queries,
        name,
        `${name}: a name for the query`,
        /return (database[^]*?);\n\}\n$/,
        `const query = $1;\n  return query.where('own_named', '=', 1);\n}\n`,
        `const own = $1;\n  return own;\n}\n`,
      ),
      inside(
        queries,
        name,
        `${name}: a statement`,
        /(?<=\{\n)(?= {2}return database)/,
        '  ownLog();\n',
        '  // own words\n',
      ),
    ];
  },
);

/** What they add to the statement of a deletion, in whose place a change of this kind puts another. */
export const formerDeletions: readonly OrdinaryEdit[] = [
  inside(
    queries,
    'delete',
    'a condition of a deletion',
    /await open\s*\.(?:deleteFrom|updateTable)[^;]*(?=\s*\.execute)/,
    `$&.where('own', '=', 1)`,
    `$&\n      .where('own', '=', 1)`,
  ),
];
