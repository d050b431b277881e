import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { withDatabase } from '../../src/commands/edit-schema.ts';
import { schemaSql } from '../../src/evolve/initial.ts';
import type { Catalogue, FoundTable } from '../../src/import/catalogue.ts';
import { askWith } from '../../src/import/database/answers.ts';
import { readPostgres } from '../../src/import/database/read-postgres.ts';
import { buildApp } from '../../src/model/build.ts';
import { parseSchema } from '../../src/schema/parse.ts';
import { installed } from '../support/install.ts';
import { freshDatabase } from '../support/postgres.ts';
import { root } from '../support/root.ts';
import { must } from '../support/run.ts';
import { scratchFolder } from '../support/scratch.ts';
import { django, prismaDatabase, rails } from './databases.ts';

/** What is rare in the other databases. */
const rare = `
  create domain rating as integer check (value between 1 and 5);
  create table shelves (room text, number smallint, label character(3) not null, height real, area double precision generated always as (height * 2) stored,
    seen time(3), span interval, scores rating, words text[] not null default '{}', primary key (room, number));
  create table places (id uuid primary key default gen_random_uuid(), room text, number smallint, twin uuid references places on delete set null,
    price numeric(12,4) default 0.5, flags bit(3), at timestamptz(3) default now(), foreign key (room, number) references shelves on delete cascade);
  create unique index by_label on shelves (label, number desc) where height is not null;
  create index by_words on shelves using gin (words);
  create index by_lower on shelves (lower(room));
  create materialized view tall as select * from shelves where height > 2;`;

const databases = { rails, django, rare, prisma: prismaDatabase.postgres };
const ownProjects = [
  'fixtures/apps/blog',
  'fixtures/apps/every-type',
  'fixtures/keys',
  'fixtures/models',
];

let cwd: string;

beforeAll(async () => {
  cwd = await scratchFolder('extract-pg-schema');
  const modules = await installed({ dependencies: { 'extract-pg-schema': '5.8.2' } });
  await symlink(modules, join(cwd, 'node_modules'), 'dir');
});

test.each(Object.entries(databases))(
  'a database is read as extract-pg-schema reads it: %s',
  async (_, sql) => {
    await expectSame(sql);
  },
);

test.each(ownProjects)('so is a database that we have made: %s', async (path) => {
  const file = join(root, path, 'schema.yaml');
  const { text } = withDatabase({ text: await readFile(file, 'utf8'), file }, 'postgres');
  const { schema } = parseSchema(text);
  if (schema === undefined) throw new Error(`${path} is no schema.`);
  await expectSame(schemaSql(buildApp(schema)));
});

async function expectSame(sql: string): Promise<void> {
  const url = await freshDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
    const ours = await readPostgres(askWith(async (text) => (await client.query(text)).rows));
    expect(linesOf(ours)).toEqual(linesOf(await extracted(url)));
  } finally {
    await client.end();
  }
}

/** What both readers know, a line each: the other one knows neither kinds of indexes nor their orders. */
function linesOf({ tables, enums, others }: Catalogue): readonly string[] {
  return [
    ...tables.flatMap(linesOfTable),
    ...[...enums].map(([name, values]) => `enum ${name}: ${values.join(', ')}`),
    ...others
      .filter(({ kind }) => kind.endsWith('view') || kind === 'trigger')
      .map(({ kind, name }) => `${kind} ${name}`),
  ].toSorted();
}

function linesOfTable(table: FoundTable): readonly string[] {
  const { name, columns, primaryKey, foreignKeys, indexes, checks } = table;
  return [
    ...columns.map((it) => {
      const initial = it.default === undefined ? '' : ` = ${it.default}`;
      const kinds = [it.nullable ? 'null' : 'not null', it.isGenerated ? 'calculated' : ''];
      const type = it.type.replace(`(${mostDigits})`, '');
      return `column ${name}.${it.name} ${type} ${kinds.join(' ')}${initial}`;
    }),
    `key ${name} ${primaryKey.toSorted().join(', ')}`,
    ...foreignKeys.map((it) => {
      const pairs = it.columns.map((column, at) => `${column} to ${it.targets[at]}`);
      return `foreign key ${name} ${it.table}: ${pairs.toSorted().join(', ')} ${it.onDelete} ${it.onUpdate}`;
    }),
    ...indexes.map((it) => {
      const keys = it.keys.map(({ column }) => column ?? '(expression)').join(', ');
      return `index ${it.name} on ${name} ${it.isUnique ? 'unique' : ''} ${keys} ${it.where ?? ''}`;
    }),
    ...checks.map((check) => `check ${name} ${check}`),
  ];
}

const script = `
  const { extractSchemas } = require('extract-pg-schema');
  extractSchemas({ connectionString: process.argv[1] }, { schemas: ['public'] })
    .then(({ public: found }) => process.stdout.write(JSON.stringify(found)));`;

interface Extracted {
  readonly tables: readonly ExtractedTable[];
  readonly enums: readonly { readonly name: string; readonly values: readonly string[] }[];
  readonly views: readonly { readonly name: string }[];
  readonly materializedViews: readonly { readonly name: string }[];
}

interface ExtractedTable {
  readonly name: string;
  readonly columns: readonly ExtractedColumn[];
  readonly indices: readonly {
    readonly name: string;
    readonly isPrimary: boolean;
    readonly isUnique: boolean;
    readonly columns: readonly {
      readonly name: string | null;
      readonly predicate: string | null;
    }[];
  }[];
  readonly checks: readonly { readonly clause: string }[];
  readonly triggers: readonly { readonly name: string }[];
}

interface ExtractedColumn {
  readonly name: string;
  readonly isNullable: boolean;
  readonly isPrimaryKey: boolean;
  readonly generated: string;
  readonly defaultValue: string | null;
  readonly references: readonly {
    readonly name: string;
    readonly tableName: string;
    readonly columnName: string;
    readonly onDelete: string;
    readonly onUpdate: string;
  }[];
  readonly informationSchemaValue: {
    readonly data_type: string;
    readonly udt_name: string;
    readonly domain_name: string | null;
    readonly character_maximum_length: number | null;
    readonly numeric_precision: number | null;
    readonly numeric_scale: number | null;
    readonly datetime_precision: number | null;
    readonly generation_expression: string | null;
  };
}

/** What it has read, in our words. */
async function extracted(url: string): Promise<Catalogue> {
  const { stdout } = await must(process.execPath, ['-e', script, url], { cwd });
  const found: Extracted = JSON.parse(stdout);
  return {
    engine: 'postgres',
    tables: found.tables.map(tableOf),
    enums: new Map(found.enums.map(({ name, values }) => [name, values])),
    others: [
      ...found.views.map(({ name }) => ({ kind: 'view', name })),
      ...found.materializedViews.map(({ name }) => ({ kind: 'materialized view', name })),
      ...found.tables.flatMap((table) =>
        table.triggers.map(({ name }) => ({ kind: 'trigger', name: `${table.name}.${name}` })),
      ),
    ],
  };
}

function tableOf({ name, columns, indices, checks }: ExtractedTable): FoundTable {
  return {
    name,
    columns: columns.map((it) => ({
      name: it.name,
      type: typeOf(it),
      nullable: it.isNullable,
      default: it.informationSchemaValue.generation_expression ?? it.defaultValue ?? undefined,
      isGenerated: it.generated === 'ALWAYS',
    })),
    primaryKey: columns.filter((it) => it.isPrimaryKey).map((it) => it.name),
    foreignKeys: keysOf(columns),
    indexes: indices
      .filter(({ isPrimary }) => !isPrimary)
      .map((it) => ({
        name: it.name,
        isUnique: it.isUnique,
        keys: it.columns.map((key) => ({ column: key.name, isDescending: false })),
        where: it.columns[0]?.predicate ?? undefined,
        method: 'btree',
      })),
    checks: checks.map(({ clause }) => `(${clause})`),
  };
}

const ruleOf = (rule = '') => rule.toLowerCase().replace('no action', 'restrict');

/** It lists what each column refers to; the columns of one key have its name. */
function keysOf(columns: readonly ExtractedColumn[]): FoundTable['foreignKeys'] {
  const all = columns.flatMap((column) =>
    column.references.map((reference) => ({ ...reference, column: column.name })),
  );
  const names = [...new Set(all.map(({ name }) => name))];
  return names.map((name) => {
    const parts = all.filter((it) => it.name === name);
    return {
      columns: parts.map(({ column }) => column),
      table: parts[0]?.tableName ?? '',
      targets: parts.map(({ columnName }) => columnName),
      onDelete: ruleOf(parts[0]?.onDelete),
      onUpdate: ruleOf(parts[0]?.onUpdate),
    };
  });
}

/** As `format_type` writes it; digits of a time that everybody has are left out. */
function typeOf({ informationSchemaValue: type }: ExtractedColumn): string {
  const { data_type: name, udt_name: own, domain_name: domain } = type;
  if (domain !== null) return domain;
  if (name === 'USER-DEFINED') return own;
  if (name === 'ARRAY') return `${itemTypes[own] ?? own.slice(1)}[]`;
  const length = type.character_maximum_length;
  if (length !== null) return `${name}(${length})`;
  const { numeric_precision: digits, datetime_precision: moment } = type;
  if (name === 'numeric' && digits !== null) return `numeric(${digits},${type.numeric_scale})`;
  if (!name.startsWith('time') || moment === mostDigits) return name;
  return name.replace(/^\w+/, `$&(${moment})`);
}

const itemTypes: Readonly<Record<string, string>> = {
  _varchar: 'character varying',
  _int4: 'integer',
};

/** Digits of a fraction of a second. */
const mostDigits = 6;
