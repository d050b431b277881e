import { tablesOf } from './collisions.ts';
import type { Rule } from './facts.ts';
import { longestIdentifier } from './legal-names.ts';

const internalTables = [
  'auth_sessions',
  'auth_reset_tokens',
  'auth_rate_limits',
  'auth_limits',
  'auth_known_addresses',
  'auth_mailed_tokens',
  'mail_outbox',
  'schema_migrations',
  'schema_migration_steps',
];

/** What the databases and our own names of constraints put after a table's name. */
const partOfTable = /_(?:pkey|key|unique|index|fkey|check|id_seq)$/;

export const tablesAreFree: Rule = (facts, report) => {
  const tables = tablesOf(facts);
  for (const { value, at } of tables) {
    const folded = value.toLowerCase();
    const whole = partOfTable.test(folded)
      ? tables.find((table) => folded.startsWith(`${table.value.toLowerCase()}_`))
      : undefined;
    const help = 'choose another name by `table:`';
    if (internalTables.includes(folded)) {
      report({
        code: 'SCF108',
        at,
        message: `the table \`${value}\` belongs to the server itself`,
        help,
      });
    } else if (/^(?:sqlite|pg)_/.test(folded)) {
      const message = `the database keeps tables like \`${value}\` for itself`;
      report({ code: 'SCF108', at, message, help });
    } else if (whole !== undefined) {
      const message = `the table \`${value}\` is named like a part of the table \`${whole.value}\``;
      report({ code: 'SCF109', at, message, help });
    }
  }
};

/** Names that are made from others: those of indexes are shortened, those of tables and keys are not. */
export const madeNamesAreShort: Rule = ({ models }, report) => {
  for (const { table, names, schema } of models) {
    const { at } = schema.name;
    const made = [
      { value: schema.table === undefined ? table : '', at },
      { value: `${names.snake}_id`, at },
      ...schema.relations
        .filter(({ many, column }) => !many && column === undefined)
        .map(({ name }) => ({ value: `${name.value}_id`, at: name.at })),
    ];
    for (const name of made.filter(({ value }) => value.length > longestIdentifier)) {
      report({
        code: 'SCF111',
        at: name.at,
        message: `\`${name.value}\`, made from this name, has ${name.value.length} characters; a name may have ${longestIdentifier}`,
        help: 'PostgreSQL cuts longer ones; choose a shorter name',
      });
    }
  }
};

const ownRoutes = ['auth', 'docs', 'health', 'openapi.json'];

export const pathsAreFree: Rule = ({ models, schema }, report) => {
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
  for (const { name, path, schema: model } of start === '' ? models : []) {
    if (!ownRoutes.includes(path.toLowerCase())) continue;
    report({
      code: 'SCF110',
      at: model.path?.at ?? model.name.at,
      message: `${name} would be reached at \`/${path}/\`, where the server answers itself`,
      help: 'give it another `path:`, or set `api: { prefix: /api }`',
    });
  }
};
