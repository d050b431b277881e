/** What somebody does to a file of theirs on an ordinary day: one place, in words of their own that begin with `own`. */
export interface OrdinaryEdit {
  readonly name: string;
  /** Files of which it is an edit. */
  readonly path: RegExp;
  /** The file with the edit; undefined where there is nothing to edit. */
  readonly apply: (text: string) => string | undefined;
  /** Whether it is about the very statement that a change of this name replaces. */
  readonly meets?: RegExp;
}

type Change = readonly [find: RegExp, by: string];

const edit = (path: RegExp, name: string, change: Change, meets?: RegExp): OrdinaryEdit => ({
  name,
  path,
  apply: (text) => replaceIn(text, change),
  ...(meets && { meets }),
});

/** In the first function whose name begins so. */
const inside = (
  path: RegExp,
  start: string,
  name: string,
  change: Change,
  meets?: RegExp,
): OrdinaryEdit => ({
  name: `${start}: ${name}`,
  path,
  apply(text) {
    const found = new RegExp(`^(?:export )?(?:async )?function ${start}[^]*?^\\}\\n`, 'm').exec(
      text,
    );
    const edited = found ? replaceIn(found[0], change) : undefined;
    if (!found || edited === undefined) return undefined;
    return text.slice(0, found.index) + edited + text.slice(found.index + found[0].length);
  },
  ...(meets && { meets }),
});

function replaceIn(text: string, [find, by]: Change): string | undefined {
  return find.test(text) ? text.replace(find, by) : undefined;
}

const queries = /queries\.ts$/;
const routes = /^src\/\w+\/routes\.ts$/;
const schema = /schema\.ts$/;
const policy = /policy\.ts$/;
const all = /^src\/routes\.ts$/;
const tests = /^test\/\w+\.test\.ts$/;
const seed = /seed\.ts$/;

/** Changes that put another statement in the place of a deletion. */
const replacesDeletion = /restored|deleted|soft/i;

const first = /(?<=selectFrom\('\w+'\))/;
const last = /(?=;\n\}\n$)/;
const returned = /return (database[^]*?);\n\}\n$/;

/** Chains of the owner's, and what else they add to a query. */
const ofQueries = ['listedRows', 'readableRow'].flatMap((name) => [
  inside(queries, name, 'a condition first', [first, `.where('own_first', '=', 1)`]),
  inside(queries, name, 'a condition last', [last, `.where('own_last', '=', 1)`]),
  inside(queries, name, 'a condition last, in a line', [last, `\n    .where('own_line', '=', 1)`]),
  inside(queries, name, 'a join', [first, `.innerJoin('own_rows', 'own_rows.id', 'own_id')`]),
  inside(queries, name, 'a join with more', [
    first,
    `.leftJoin('own_rows', (join) => join.onRef('own_rows.id', '=', 'own_id'))`,
  ]),
  inside(queries, name, 'columns', [last, `.select(['own_column'])`]),
  inside(queries, name, 'an order', [last, `.orderBy('own_order', 'desc')`]),
  inside(queries, name, 'one of two', [
    last,
    `.where((eb) => eb.or([eb('own_a', '=', 1), eb('own_b', '=', 2)]))`,
  ]),
  inside(queries, name, 'a scope', [last, '.$call(ownScope)']),
  inside(queries, name, 'a name for the query', [
    returned,
    `const query = $1;\n  return query.where('own_named', '=', 1);\n}\n`,
  ]),
  inside(queries, name, 'a statement', [/(?<=\{\n)(?= {2}return database)/, '  ownLog();\n']),
  inside(queries, name, 'a comment', [/(?<=\{\n)(?= {2}return database)/, '  // own words\n']),
]);

const ofStatements = [
  inside(queries, 'create', 'a check', [/(?<=\{\n)(?= {2}require)/, '  ownCheck(input);\n']),
  inside(queries, 'create', 'a value', [/(?<=\.values\(\{)/, ' own_value: 1,']),
  inside(queries, 'create', 'a statement last', [/(?= {4}return )/, '    await ownNote(open);\n']),
  inside(queries, 'create', 'a condition', [
    /(?= {4}return )/,
    `    if (!own) throw ownProblem('full');\n`,
  ]),
  inside(queries, 'update', 'a value', [/(?<=\.set\(\{)/, ' own_value: 1,']),
  inside(queries, 'update', 'a condition', [
    /(?=\n\s*\.execute\(\))/,
    `\n        .where('own', '=', 1)`,
  ]),
  inside(queries, 'update', 'a statement last', [/(?= {4}return )/, '    await ownNote(open);\n']),
  inside(queries, 'delete', 'a statement first', [
    /(?<=async \(open\) => \{\n)/,
    '    ownCheck();\n',
  ]),
  inside(
    queries,
    'delete',
    'a condition',
    [/(?<=\.where\('id', '=', request\.id\))/, `.where('own', '=', 1)`],
    replacesDeletion,
  ),
  inside(
    queries,
    'delete',
    'a transaction of its own',
    [/await erase\(/, 'await ownErase('],
    replacesDeletion,
  ),
  edit(queries, 'a function at the end', [/$/, '\nexport function ownQuery() {\n  return 1;\n}\n']),
  edit(queries, 'an import', [/^/, `import { own } from '../own.ts';\n`]),
  edit(queries, 'a name in an import', [/(?= \} from '\.\.\/lib\/write\.ts')/, ', ownWrite']),
  edit(queries, 'a name in another import', [
    /(?<=import \{) (?=\w+ \} from '\.\.\/lib\/problem)/,
    ' ownProblem, ',
  ]),
  edit(queries, 'a comment above a function', [
    /(?=^export async function create)/m,
    '// own words\n',
  ]),
];

const ofRoutes = [
  edit(routes, 'a route last', [
    /(?=\n\}\n$)/,
    `\n\n  app.get('/own', async (request, reply) => {\n    return reply.send(await ownRows(request));\n  });`,
  ]),
  edit(routes, 'a route first', [
    /(?= {2}app\.get\('\/',)/,
    `  app.get('/own', async () => ownRows());\n\n`,
  ]),
  edit(routes, 'a route between', [
    /(?= {2}app\.get\('\/:id',)/,
    `  app.get('/own', { onRequest: app.identify }, async (request, reply) => {\n    return reply.send(ownRows(request));\n  });\n\n`,
  ]),
  edit(routes, 'a hook', [/(?=\n {2}app\.get\('\/',)/, `\n  app.addHook('onRequest', ownHook);\n`]),
  edit(routes, 'a header', [/(?= {4}return sendPage)/, `    reply.header('own-header', '1');\n`]),
  edit(routes, 'a log', [/(?= {4}return sendCreated)/, `    request.log.info('own words');\n`]),
  edit(routes, 'a limit of a route', [/(?<=app\.get\('\/', \{)/, ' preHandler: ownLimit,']),
  edit(routes, 'an option behind', [/(?<=schema: create)(?= \})/, ', bodyLimit: ownLimit']),
  edit(routes, 'a statement after a deletion', [
    /(?= {4}return sendNothing)/,
    '    await ownNote();\n',
  ]),
  edit(routes, 'an import', [/^/, `import { own } from '../own.ts';\n`]),
  edit(routes, 'a comment', [/(?= {2}app\.patch)/, '  // own words\n']),
  edit(routes, 'a function', [/$/, '\nfunction ownHelper() {\n  return 1;\n}\n']),
];

const ofShapes = [
  edit(schema, 'a rule that looks at several fields', [
    /$/,
    '\nexport const ownRule = () => true;\n',
  ]),
  edit(schema, 'a type', [/$/, '\nexport type OwnShape = { readonly own: 1 };\n']),
  edit(schema, 'a description of a field', [
    /(?<=: t\.DateTime\()(?=\))/,
    `{ description: 'own words' }`,
  ]),
  edit(schema, 'a field of the answer', [
    /(?<=Type\.Object\(\n {2}\{\n)/,
    '    own_field: Type.String(),\n',
  ]),
  edit(schema, 'a default', [/(?<=return \{\n)/, '    own_default: 1,\n']),
  edit(schema, 'a comment', [/(?=^const shape)/m, '// own words\n']),
  edit(policy, 'a comment', [/(?=^export const)/m, '// own words\n']),
  edit(policy, 'a rule more', [/(?=\}\);\n$)/, '  ownAction: ownRule,\n']),
  edit(policy, 'a function', [/$/, '\nexport function ownRule() {\n  return true;\n}\n']),
];

const ofTheRest = [
  edit(all, 'routes of ones own', [
    /(?=\n\}\n$)/,
    `\n  await app.register(ownRoutes, { prefix: '/own' });`,
  ]),
  edit(all, 'routes of ones own first', [
    /(?= {2}await app)/,
    '  await app.register(ownRoutes);\n',
  ]),
  edit(all, 'a comment', [/(?= {2}await app)/, '  // own words\n']),
  edit(tests, 'a suite', [
    /$/,
    `\ndescribe('own words', () => {\n  it('own test', () => {});\n});\n`,
  ]),
  edit(tests, 'a test', [/(?<=^describe\('POST .*\n)/m, `  it('own test', () => {});\n\n`]),
  edit(tests, 'a value', [/(?<=const refused = \{)/, ' own_value: 7,']),
  edit(seed, 'rows of ones own', [/(?= {2}return seeding)/, '  await addOwn(seeding);\n']),
  edit(seed, 'a comment', [/(?= {2}return seeding)/, '  // own words\n']),
];

export const ordinaryEdits: readonly OrdinaryEdit[] = [
  ...ofQueries,
  ...ofStatements,
  ...ofRoutes,
  ...ofShapes,
  ...ofTheRest,
];
