import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makeInitialMigration } from '../../src/evolve/initial.ts';
import { buildApp } from '../../src/model/build.ts';
import { carryIds } from '../../src/model/carry.ts';
import { renderProject } from '../../src/project/render-project.ts';
import { parseSchema } from '../../src/schema/parse.ts';
import { writeFiles } from '../support/emit.ts';
import { root } from '../support/root.ts';
import { scratchFolder } from '../support/scratch.ts';

interface Copied {
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  readonly left: readonly string[];
}

/** A project that has moved from SQLite to PostgreSQL, and what its `npm run db:copy` calls. */
export interface MovedProject {
  readonly folder: string;
  migrate(url: string): Promise<unknown>;
  copyDatabase(from: string, to: string): Promise<Copied>;
}

export async function movedProject(fixture: string): Promise<MovedProject> {
  const folder = await scratchFolder('moved');
  const app = carryIds(appOf(fixture, 'sqlite'), appOf(fixture, 'postgres'));
  await writeFiles(folder, renderProject(app, [makeInitialMigration(app, '')]));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  const { migrate } = await import(join(folder, 'src/database/migrate.ts'));
  const { copyDatabase } = await import(join(folder, 'src/database/copy/copy-database.ts'));
  return { folder, migrate, copyDatabase };
}

/** The tables that the project had on SQLite. */
export function formerTables(fixture: string): string {
  const file = `fixtures/apps/${fixture}/sqlite/migrations/0001_initial/up.sql`;
  return readFileSync(join(root, file), 'utf8');
}

function appOf(fixture: string, engine: 'sqlite' | 'postgres') {
  const text = readFileSync(join(root, 'fixtures/apps', fixture, 'schema.yaml'), 'utf8');
  const { schema } = parseSchema(`${text}\ndatabase: ${engine}\n`);
  if (schema === undefined) throw new Error(`${fixture} is refused`);
  return buildApp(schema);
}
