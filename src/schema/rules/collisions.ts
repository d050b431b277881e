import type { Located } from '../schema.ts';
import type { Report } from '../shape.ts';
import type { Facts, ModelFacts, Rule } from './facts.ts';

/** Tables and first segments of paths that the emitted server needs for itself. */
const internalTables = [
  'auth_sessions',
  'auth_reset_tokens',
  'auth_rate_limits',
  'mail_outbox',
  'schema_migrations',
];
const ownRoutes = ['auth', 'docs', 'health', 'openapi.json'];
const partOfTable = /_(?:pkey|key|unique|index|fkey|check|id_seq)$/;

/** A name that something gets, and what to call that thing in a message. */
interface Claim extends Located<string> {
  readonly title: string;
}

/** SQL folds case, so `Posts` and `posts` are one table. */
export const tablesAreDistinct: Rule = (facts, report) => {
  const tables = [...facts.models.map(modelTable), ...joinTables(facts)];
  for (const table of tables) checkReserved(table, tables, report);
  reportTwins(tables, report, (claim, first) => ({
    code: 'SCF109',
    message: `the table of ${claim.title} would be called \`${claim.value}\`, as that of ${first.title}`,
    help: 'give one of them another name by `table:`',
  }));
};

function modelTable({ name, table, schema }: ModelFacts): Claim {
  return { value: table, at: schema.table?.at ?? schema.name.at, title: name };
}

function joinTables({ models }: Facts): Claim[] {
  return models.flatMap(({ name: model, table, schema }) =>
    schema.relations
      .filter(({ many, through }) => many && through === undefined)
      .map(({ name }) => ({
        value: `${table}_${name.value}`,
        at: name.at,
        title: `${model}.${name.value}`,
      })),
  );
}

function checkReserved({ value, at }: Claim, tables: readonly Claim[], report: Report): void {
  const folded = value.toLowerCase();
  const whole = tables.find((table) => folded.startsWith(`${table.value.toLowerCase()}_`));
  const help = 'choose another name by `table:`';
  if (internalTables.includes(folded)) {
    const message = `the table \`${value}\` belongs to the server itself`;
    report({ code: 'SCF108', at, message, help });
  } else if (/^(?:sqlite|pg)_/.test(folded)) {
    const message = `the database keeps tables like \`${value}\` for itself`;
    report({ code: 'SCF108', at, message, help });
  } else if (whole !== undefined && partOfTable.test(folded)) {
    const message = `the table \`${value}\` is named like a part of the table \`${whole.value}\``;
    report({ code: 'SCF109', at, message, help });
  }
}

/** Paths are compared without case, since proxies and people are careless about it. */
export const pathsAreDistinct: Rule = ({ models, schema }, report) => {
  const claims = models.map(({ name, path, schema: model }) => ({
    value: path,
    at: model.path?.at ?? model.name.at,
    title: name,
  }));
  reportTwins(claims, report, (claim, first) => ({
    code: 'SCF110',
    message: `${claim.title} would be reached at \`/${claim.value}/\`, as ${first.title} is`,
    help: 'give one of them another `path:`',
  }));
  const prefix = schema.api?.prefix;
  const [start = ''] = (prefix?.value ?? '/api').replace(/^\/+/, '').split('/');
  if (prefix !== undefined && ownRoutes.includes(start.toLowerCase())) {
    report({
      code: 'SCF110',
      at: prefix.at,
      message: `the server answers below \`/${start}\` itself`,
      help: `choose a prefix that does not start with ${ownRoutes.map((route) => `\`/${route}\``).join(', ')}`,
    });
  }
  for (const { value, at, title } of start === '' ? claims : []) {
    if (!ownRoutes.includes(value.toLowerCase())) continue;
    report({
      code: 'SCF110',
      at,
      message: `${title} would be reached at \`/${value}/\`, where the server answers itself`,
      help: 'give it another `path:`, or set `api: { prefix: /api }`',
    });
  }
};

/** Folders are compared without case, as Windows and macOS do. */
export const foldersAreDistinct: Rule = ({ models }, report) => {
  const claims = models.map(({ names, schema, name }) => ({
    value: names.folder,
    at: schema.plural?.at ?? schema.name.at,
    title: name,
  }));
  reportTwins(claims, report, (claim, first) => ({
    code: 'SCF109',
    message: `the files of ${claim.title} would lie in \`src/${claim.value}/\`, as those of ${first.title} do`,
    help: 'rename one of them, or give it another `plural:`',
  }));
};

/** Models, enums and what is derived from models share the types of the emitted code. */
export const typesAreDistinct: Rule = ({ models, schema }, report) => {
  const own: Claim[] = [
    ...models.map(({ names, name, schema: { name: located } }) => ({
      value: names.type,
      at: located.at,
      title: `the model ${name}`,
    })),
    ...schema.enums.map(({ name }) => ({ ...name, title: `the enum ${name.value}` })),
  ];
  const twins = (claim: Claim, first: Claim) => ({
    code: 'SCF109',
    message: `${claim.title} and ${first.title} would both be the type \`${claim.value}\``,
    help: 'rename one of them',
  });
  const plurals = models.map(({ names, name, schema: model }) => ({
    value: names.typePlural,
    at: model.plural?.at ?? model.name.at,
    title: `the plural of ${name}`,
  }));
  reportTwins([...own, ...plurals], report, twins);
  for (const claim of own) {
    const [, derivation, base] = /^(Create|Update)(.+)$/.exec(claim.value) ?? [];
    const first = own.find(({ value }) => value === base);
    if (first === undefined || derivation === undefined) continue;
    report({
      at: claim.at,
      ...twins(claim, {
        ...first,
        title: `the body of a request to ${derivation.toLowerCase()} ${first.title}`,
      }),
    });
  }
};

type Wording = (claim: Claim, first: Claim) => { code: string; message: string; help: string };

function reportTwins(claims: readonly Claim[], report: Report, wording: Wording): void {
  const firsts = new Map<string, Claim>();
  for (const claim of claims) {
    const folded = claim.value.toLowerCase();
    const first = firsts.get(folded);
    if (first === undefined) firsts.set(folded, claim);
    else if (first.at !== claim.at) report({ at: claim.at, ...wording(claim, first) });
  }
}
