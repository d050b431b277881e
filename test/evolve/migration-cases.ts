import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { type NewMigration, makeMigration } from '../../src/evolve/make-migration.ts';
import type { App } from '../../src/model/app.ts';
import { carryIds } from '../../src/model/carry.ts';
import { parseRename } from '../../src/model/rename.ts';
import { root } from '../support/root.ts';
import { compoundOperations } from './compound-operations.ts';
import { keyOperations } from './key-operations.ts';
import { type Operation, operations } from './operations.ts';
import { appOf } from './support/app-of.ts';
import type { Engine } from '../../src/types/field-type.ts';

/** A change to a schema, and the migration that results: `fixtures/migrations/<case>/`. */
export interface MigrationCase extends Operation {
  /** The name of its folder. */
  readonly folder: string;
}

export interface Outcome extends NewMigration {
  readonly before: App;
  readonly after: App;
}

export const migrationCases: readonly MigrationCase[] = [
  ...operations,
  ...compoundOperations,
  ...keyOperations,
].map((operation) => ({ ...operation, folder: folderOf(operation.what) }));

export function evolveCase(operation: Operation, engine: Engine): Outcome {
  const outcome = known[engine].get(operation) ?? evolveOnce(operation, engine);
  known[engine].set(operation, outcome);
  return outcome;
}

/** Kept, as each case is compared with its fixture and also applied to a database. */
const known = { sqlite: new Map<Operation, Outcome>(), postgres: new Map<Operation, Outcome>() };

function evolveOnce(operation: Operation, engine: Engine): Outcome {
  const text = schemaOf(operation.after);
  const read = (schema: string) =>
    appOf(isOfUsers(operation) ? schema : `auth: none\n${schema}`, engine);
  const before = read(schemaOf(operation.before));
  const told = (operation.renames ?? []).flatMap((rename) => parseRename(rename) ?? []);
  const after = carryIds(before, read(text), told);
  const options = { sequence: 2, parent: '0001_initial', schemaText: text };
  const evolved = makeMigration(before, after, options);
  if (evolved === undefined) throw new Error('nothing to migrate');
  return { before, after, ...evolved };
}

/** Other cases have no accounts, whose tables would take longer to make than all the rest. */
function isOfUsers({ before, after, hazards = [] }: Operation): boolean {
  return /\b(User|auth)\b/.test([before, after, ...hazards].join('\n'));
}

/** The texts in the folder of a case, by path. */
export function printCase(operation: Operation): ReadonlyMap<string, string> {
  const { before, after, renames = [] } = operation;
  const flags = renames.map((rename) => ` --rename ${rename}`).join('');
  const heading = flags === '' ? '' : `# scaffold regenerate${flags}\n`;
  const files = new Map([
    ['before.yaml', schemaOf(before)],
    ['after.yaml', `${heading}${schemaOf(after)}`],
  ]);
  for (const engine of ['sqlite', 'postgres'] as const) {
    const { 'schema.yaml': _, ...texts } = evolveCase(operation, engine).migration.files;
    for (const [name, text] of Object.entries(texts)) files.set(`${engine}/${name}`, text);
  }
  return files;
}

export function readCase(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(join(home, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const relative = (path: string) => path.slice(join(home, folder).length + 1);
  return new Map(paths.map((path) => [relative(path), readFileSync(path, 'utf8')]));
}

/** `npm run fixtures migrations`. Read the difference before you commit it: it is what people will run. */
export function writeMigrationCases(): void {
  rmSync(home, { recursive: true, force: true });
  for (const operation of migrationCases) {
    for (const [path, text] of printCase(operation)) {
      const file = join(home, operation.folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}

const home = join(root, 'fixtures/migrations');

function folderOf(what: string): string {
  return what.replaceAll(/[’,]/g, '').replaceAll(' ', '-');
}

/** As a person would write it. */
function schemaOf(body: string): string {
  return stringify(parse(body), { lineWidth: 100, flowCollectionPadding: true });
}
