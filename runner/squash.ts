import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digest } from '../src/digest.ts';
import { MigrationError } from './history.ts';
import {
  type Migration,
  migrationsFolder,
  readMeta,
  readMigrations,
  readSchemaSql,
} from './read.ts';

interface Squashed {
  /** The migration that replaces all of them. */
  readonly id: string;
  readonly removed: readonly string[];
  /** The removed migrations that somebody wrote or edited. The baseline contains the written ones, but no edits. */
  readonly own: readonly string[];
  readonly edited: readonly string[];
}

/**
 * Makes the last generated migration create the whole database, and removes those before it. A database that has all of
 * them stays as it is. One that lacks only the last one runs what that was before.
 */
export function squashMigrations(folder = migrationsFolder): Squashed {
  const migrations = readMigrations(folder);
  const isGenerated = ({ id }: Migration) => existsSync(join(folder, id, 'schema.yaml'));
  const last = migrations.findLast(isGenerated);
  const schema = readSchemaSql(folder);
  if (last === undefined || last.parent === null) {
    throw new MigrationError('There is only one migration: there is nothing to put together.');
  }
  if (schema === undefined)
    throw new MigrationError('migrations/schema.sql is missing: restore it.');
  if (last.instead !== undefined) {
    throw new MigrationError(
      `${last.id} joins two branches, and databases of one of them need its instead.sql. Do this after the next migration.`,
    );
  }
  const removed = migrations.slice(0, migrations.indexOf(last));
  const own = removed.filter((migration) => !isGenerated(migration));
  writeBaseline(folder, { last, removed, sql: baselineSql(last, schema, own) });
  for (const { id } of removed) rmSync(join(folder, id), { recursive: true });
  const edited = removed.filter((migration) => isGenerated(migration) && migration.up.isEdited);
  return { id: last.id, removed: listIds(removed), own: listIds(own), edited: listIds(edited) };
}

function baselineSql({ id }: Migration, schema: string, own: readonly Migration[]): string {
  const parts = own.map((migration) => `-- Of ${migration.id}:\n${migration.up.sql.trim()}\n`);
  const all = [`-- All that a database has after ${id}.\n\n${schema.trim()}\n`, ...parts];
  return inSteps(all).join('\n');
}

const stepLine = /^-- step \d+ of \d+: /m;

/** On PostgreSQL, if one of the owner's migrations has steps, the whole script needs them. */
function inSteps(parts: readonly string[]): readonly string[] {
  if (!parts.some((part) => stepLine.test(part))) return parts;
  const steps = parts.flatMap((part) =>
    stepLine.test(part)
      ? part.split(/^(?=-- step (?!1 )\d+ of \d+: )/m)
      : [`-- step 1 of 1: one transaction\n${part}`],
  );
  return steps.map((step, index) =>
    step.replace(stepLine, `-- step ${index + 1} of ${steps.length}: `),
  );
}

interface Baseline {
  readonly last: Migration;
  readonly removed: readonly Migration[];
  readonly sql: string;
}

function writeBaseline(folder: string, { last, removed, sql }: Baseline): void {
  const home = join(folder, last.id);
  const { down: _, additive: __, statements: ___, ...meta } = readMeta(join(home, 'meta.json'));
  const { hazards, backup, tables, rebuilt } = meta;
  const facts = {
    ...meta,
    parent: null,
    formerly: [...last.formerly, last.up.checksum],
    replaces: removed.flatMap(({ id, replaces }) => [...replaces, id]),
    hazards: [],
    backup: false,
    tables: {},
    rebuilt: {},
    instead: { hazards, backup, tables, rebuilt },
    checksums: {
      ...meta.checksums,
      'up.sql': digest(sql),
      'instead.sql': meta.checksums?.['up.sql'],
    },
  };
  const former = readFileSync(join(home, 'up.sql'), 'utf8');
  writeFileSync(join(home, 'instead.sql'), former);
  writeFileSync(join(home, 'up.sql'), sql);
  writeFileSync(join(home, 'meta.json'), `${JSON.stringify(facts, null, 2)}\n`);
  rmSync(join(home, 'down.sql'), { force: true });
}

function listIds(migrations: readonly Migration[]): readonly string[] {
  return migrations.map(({ id }) => id);
}
