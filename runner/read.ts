import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digest } from '../src/digest.ts';
import type { Hazard } from '../src/evolve/hazards/hazard.ts';
import type { MigrationContent, Precautions } from '../src/evolve/migration.ts';
import { withoutComments } from '../src/evolve/without-comments.ts';
import type { DataModule } from './data.ts';
import { MigrationError } from './history.ts';

/** A migration: `migrations/<id>/`. */
export interface Migration {
  readonly id: string;
  /** The migration that it follows; `null` for the first. */
  readonly parent: string | null;
  readonly up: Script;
  /** The rollback; absent if something would be lost. */
  readonly down: Script | undefined;
  /** Checksums of earlier versions of `up.sql`, which made the same tables. */
  readonly formerly: readonly string[];
  /** Migrations of another branch that this one replaces. */
  readonly replaces: readonly string[];
  /** Runs instead of `up` in a database that has those. */
  readonly instead: Script | undefined;
  /** Whether the code of the release before works with the changed tables. */
  readonly isAdditive: boolean;
}

/** SQL, and the checks before and after it runs. */
export interface Script extends Required<Precautions> {
  readonly sql: string;
  readonly checksum: string;
  /** Modules that run after the SQL: see `DataMigration`. */
  readonly data: readonly DataModule[];
  /** Whether somebody has edited the generated SQL, and thereby taken responsibility for the rows. */
  readonly isEdited: boolean;
}

/** `meta.json` */
interface Meta extends Omit<Partial<MigrationContent>, 'down' | 'additive'> {
  readonly replaces?: readonly string[];
  readonly instead?: Partial<Precautions>;
  readonly down?: Partial<Precautions>;
  readonly additive?: boolean;
  readonly checksums?: Readonly<Record<string, string>>;
  /** Checksums of scripts without their comments. */
  readonly statements?: Readonly<Record<string, string>>;
}

/** The folder of this program. */
export const migrationsFolder = fileURLToPath(new URL('.', import.meta.url));

/** Reads migrations, each after its parent. Throws a MigrationError if they do not form a single chain. */
export function readMigrations(folder = migrationsFolder): readonly Migration[] {
  const ids = readdirSync(folder)
    .filter((id) => existsSync(join(folder, id, 'up.sql')))
    .toSorted();
  return chain(ids.map((id, index) => readMigration(join(folder, id), id, ids[index - 1])));
}

/** Reads the `meta.json` of a migration that is not in `migrations/` yet. */
export function readDraft(file: string): {
  readonly id: string;
  readonly hazards: readonly Hazard[];
} {
  if (!existsSync(file)) throw new MigrationError(`There is no file ${file}.`);
  const { id = 'draft', hazards = [] } = readMeta(file);
  return { id, hazards };
}

/** The SQL of all tables after the last migration. */
export function readSchemaSql(folder = migrationsFolder): string | undefined {
  return readText(join(folder, 'schema.sql'));
}

/** A migration without `meta.json` was written by hand and follows the one before it by name. */
function readMigration(folder: string, id: string, previous: string | undefined): Migration {
  const meta = readMeta(join(folder, 'meta.json'));
  const script = (name: string, precautions: Partial<Precautions> = {}) =>
    readScript(join(folder, name), precautions, [meta.checksums?.[name], meta.statements?.[name]]);
  const up = script('up.sql', meta);
  if (up === undefined) throw new MigrationError(`migrations/${id}/up.sql is missing.`);
  return {
    id,
    parent: meta.parent === undefined ? (previous ?? null) : meta.parent,
    up,
    down: script('down.sql', meta.down ?? { tables: reversed(meta.tables) }),
    formerly: meta.formerly ?? [],
    replaces: meta.replaces ?? [],
    instead: script('instead.sql', meta.instead),
    isAdditive: meta.additive === true && !up.isEdited,
  };
}

export function readMeta(file: string): Meta {
  const text = readText(file);
  if (text === undefined) return {};
  try {
    const meta: Meta = JSON.parse(text);
    return meta;
  } catch (cause) {
    throw new MigrationError(`${file} is not JSON. Restore it.`, { cause });
  }
}

/** Rows are also counted for edited SQL, but do not stop it. */
function readScript(
  file: string,
  { hazards = [], backup = false, tables = {}, rebuilt = {} }: Partial<Precautions>,
  written: readonly (string | undefined)[],
): Script | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  // SQLite would silently stop reading there.
  if (text.includes('\0')) throw new MigrationError(`${file} holds a NUL character. Remove it.`);
  const checksum = digest(text);
  // PostgreSQL would read a byte-order mark as part of the first word.
  const sql = text.replace(/^\uFEFF/, '');
  const isEdited = ![checksum, digest(withoutComments(text))].some((it) => written.includes(it));
  const counted = isEdited ? hazards.map((hazard) => ({ ...hazard, stops: false })) : hazards;
  const data = dataFiles(join(file, '../../..'), sql);
  return { sql, checksum, data, isEdited, hazards: counted, backup, tables, rebuilt };
}

/** `-- then src/database/data/0008_fill_slugs.ts`; a baseline may have several. */
function dataFiles(project: string, sql: string): readonly DataModule[] {
  const names = sql.matchAll(/^-- then src\/(database\/data\/.+)\.ts$/gm);
  return [...names].map(([, name]) => ({
    source: join(project, `src/${name}.ts`),
    built: join(project, `dist/${name}.js`),
  }));
}

/** Line ends may differ between checkouts. In SQL, they are `\n`, so that neither a checksum nor a value changes. */
export function readText(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : undefined;
}

function reversed(tables: Readonly<Record<string, string>> = {}) {
  return Object.fromEntries(Object.entries(tables).map(([before, after]) => [after, before]));
}

function chain(migrations: readonly Migration[]): readonly Migration[] {
  const ordered: Migration[] = [];
  for (;;) {
    const last = ordered.at(-1)?.id ?? null;
    const [next, other] = migrations.filter(({ parent }) => parent === last);
    if (next === undefined) break;
    if (other !== undefined) throw new MigrationError(fork(last, [next.id, other.id]));
    ordered.push(next);
  }
  const [lost] = migrations.filter((migration) => !ordered.includes(migration));
  if (lost === undefined) return ordered;
  throw new MigrationError(
    `migrations/${lost.id} follows ${lost.parent}, which is not in migrations/ or follows nothing itself. Restore what is missing there, or run \`scaffold regenerate\`.`,
  );
}

function fork(parent: string | null, ids: readonly string[]): string {
  const place = parent === null ? 'come first' : `follow ${parent}`;
  return `Two migrations ${place}: ${ids.join(' and ')}. Both were made on branches that are merged now; \`scaffold regenerate\` puts them in order.`;
}
