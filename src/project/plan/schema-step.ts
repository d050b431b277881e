import { present } from '../../present.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptanceKey, type Hazard, needsAcceptance } from '../../evolve/hazards/hazard.ts';
import { joinHeads } from '../../evolve/heads/join-heads.ts';
import {
  parentEdits,
  readMigrations,
  type StoredMigration,
} from '../../evolve/heads/stored-migrations.ts';
import { findHeads, missingMigrationWarnings } from '../../evolve/heads/find-heads.ts';
import { initialMigration } from '../../evolve/initial.ts';
import { addLateBackfill } from '../../evolve/late-backfill.ts';
import { type NewMigration, makeMigration } from '../../evolve/make-migration.ts';
import type { Migration, Warning } from '../../evolve/migration.ts';
import type { App } from '../../model/app.ts';
import { carryIds } from '../../model/carry.ts';
import { type Disk, readOrRefuse, type TextFile } from '../disk.ts';
import { hashText } from '../paths.ts';
import type { FileChange, RunOptions } from '../plan.ts';
import type { Project } from '../read-project.ts';
import type { RecordedFile } from '../record.ts';
import { kindOf } from '../../render/manifest.ts';
import { listMigrations, recordedMigrations } from '../untouched.ts';
import { buildNext } from './next-app.ts';
import { makeOutcome, type FileOutcome, type FormerFile } from './outcome.ts';

/** From the schema of the last run to the present one. */
export interface SchemaStep {
  readonly app: App;
  readonly newMigration?: NewMigration;
  /** New migrations. */
  readonly migrations: readonly Migration[];
  /** Hazards of all migrations that are written. */
  readonly hazards: readonly Hazard[];
  readonly unaccepted: readonly Hazard[];
  readonly warnings: readonly Warning[];
  /** Whether the migrations of two branches were put in sequence. */
  readonly isJoined: boolean;
  /** The value of `--accept` that chose their order: `SCF514:0002_theirs`. */
  readonly chosen?: string;
  readonly history: History;
}

/** The existing migrations, and what happens to them. */
export interface History {
  readonly migrations: readonly StoredMigration[];
  /** Ids of the migrations in the record. */
  readonly recorded: readonly string[];
  /** By path of a file: its new text, absent if it is deleted. */
  readonly rewritten: ReadonlyMap<string, { readonly after?: string; readonly reason: string }>;
  /** The folder that all of them move to, if the project changes its engine: `migrations/sqlite`. */
  readonly asideFolder?: string;
}

export function findSchemaStep(project: Project, options: RunOptions): SchemaStep {
  const history = readHistory(project);
  const built = buildNext(project, options);
  if (built.database === project.app.database) {
    return migrateSchema(project, options, built, history);
  }
  // The other engine starts a new history; `npm run db:copy` copies the rows.
  const app = carryIds(project.app, built, options.renames);
  const step = stepWithoutChange(app, {
    ...history,
    asideFolder: `migrations/${project.app.database}`,
  });
  return { ...step, migrations: [initialMigration(app, options.schemaText)] };
}

function readHistory({ folder, record }: Project): History {
  const folders = listMigrations(folder).map((id) => {
    const at = join(folder, 'migrations', id);
    const files = readdirSync(at, { withFileTypes: true }).filter((entry) => entry.isFile());
    const texts = files.map(({ name }) => [name, readFileSync(join(at, name), 'utf8')]);
    return { id, texts: Object.fromEntries(texts) };
  });
  const recorded = recordedMigrations(Object.keys(record.files));
  return { migrations: readMigrations(folders, recorded), recorded, rewritten: new Map() };
}

function stepWithoutChange(app: App, history: History): SchemaStep {
  const nothing = { migrations: [], hazards: [], unaccepted: [], warnings: [] };
  return { app, ...nothing, isJoined: false, history };
}

function migrateSchema(
  project: Project,
  { schemaText, migrationName, renames, accepted }: RunOptions,
  built: App,
  history: History,
): SchemaStep {
  const named = { schemaText, ...present({ name: migrationName }) };
  const joined = joinHeads({ ...history, before: project.app, built, accepted, ...named });
  const { before, edits, removed, head, sequence } = joined;
  const app = carryIds(before, built, renames);
  const newMigration =
    joined.newMigration ?? makeMigration(before, app, { ...named, sequence, parent: head });
  const isOurs = history.recorded.includes(head);
  const { ours } = findHeads(history.migrations, history.recorded);
  const { again, warnings } = addLateBackfill(isOurs ? ours : [], app);
  const hazards = [newMigration, again].flatMap((it) => it?.hazards ?? []);
  return {
    app,
    ...present({ newMigration }),
    migrations: newMigration ? [newMigration.migration] : [],
    hazards,
    unaccepted: hazards.filter(
      (it) => needsAcceptance(it) && !accepted.includes(acceptanceKey(it)),
    ),
    warnings: [
      ...(newMigration && isOurs ? missingMigrationWarnings(history, newMigration) : []),
      ...warnings,
    ],
    isJoined: edits.length + removed.length > 0,
    ...present({ chosen: joined.chosen }),
    history: {
      ...history,
      rewritten: new Map([
        ...(newMigration ? parentEdits(history.migrations) : []).map((it) =>
          explainStep(it.path, 'placed', it.content),
        ),
        ...edits.map((it) => explainStep(it.path, 'edited', it.content)),
        ...(again ? rewriteFilled(again) : []),
        ...removed.map((path) => explainStep(path, 'removed')),
      ]),
    },
  };
}

function rewriteFilled({ migration: { id, files } }: NewMigration) {
  return Object.entries(files).map(([name, text]) =>
    explainStep(`migrations/${id}/${name}`, 'filled', text),
  );
}

const stepReasons = {
  removed: 'Its changes are written again, after the other branch’s migrations.',
  edited: 'It now follows this branch’s migrations.',
  placed: 'It names the migration that yours follows.',
  filled: 'The schema now has a `backfill` for its rows.',
  aside: 'It is for the other engine.',
} as const;

function explainStep(path: string, why: keyof typeof stepReasons, after?: string) {
  return [path, { ...present({ after }), reason: stepReasons[why] }] as const;
}

/** The outcomes of existing migrations, which change only after a merge of branches, a change of engine or a late `backfill`. */
export function historyOutcomes(
  recorded: readonly FormerFile[],
  history: History,
  disk: Disk,
): readonly FileOutcome[] {
  const known = new Map(recorded.map((it) => [it.path, it.recorded]));
  const there = history.migrations.flatMap(({ id, texts }) =>
    Object.keys(texts).map((name) => `migrations/${id}/${name}`),
  );
  const paths = [...new Set([...known.keys(), ...there, ...history.rewritten.keys()])].toSorted();
  return paths.map((path) => {
    const found = readOrRefuse(disk, path);
    const { after, reason = '' } = history.rewritten.get(path) ?? {};
    // A `down.sql` that is possible now, or the file that says which migration the owner’s own one follows.
    if (!found && !known.has(path) && after !== undefined) {
      const { mode, ...file } = recordForeignMigration(path, after);
      const change: FileChange = { path, action: 'create', reason, after, mode, conflicts: [] };
      return makeOutcome(change, { recorded: { ...file, mode } });
    }
    const file = known.get(path) ?? recordForeignMigration(path, found?.text ?? '');
    // Deleting a migration is the owner's decision; the record still lists it.
    if (!found) return { path, status: 'kept', recorded: file };
    return storedMigrationOutcome({ path, recorded: file }, found, history);
  });
}

function storedMigrationOutcome(
  { path, recorded }: FormerFile,
  found: TextFile,
  { rewritten, asideFolder }: History,
): FileOutcome {
  const shared = { path, before: found.text, mode: found.mode, conflicts: [] };
  const { after, reason } = rewritten.get(path) ?? { after: found.text, reason: '' };
  if (after === undefined) return makeOutcome({ ...shared, action: 'delete', reason });
  if (after !== found.text) {
    const base = hashText(after);
    const change: FileChange = { ...shared, action: 'update', reason, after };
    return makeOutcome(change, { recorded: { ...recorded, base } });
  }
  if (asideFolder === undefined) return { path, status: 'unchanged', recorded };
  const to = path.replace(/^migrations/, asideFolder);
  const moved = { path: to, from: path, after, reason: stepReasons.aside };
  return makeOutcome(
    { ...shared, ...moved, action: 'move' },
    { recorded: { ...recorded, id: to } },
  );
}

/** The entry for a migration that another branch brought or the owner wrote. */
function recordForeignMigration(path: string, text: string): RecordedFile {
  const kind = kindOf(path);
  return { id: path, base: hashText(text), mode: '644', kind, policy: 'appended' };
}
