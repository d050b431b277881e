import { present } from '../../present.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptanceKey, type Hazard, needsAcceptance } from '../../evolve/hazards/hazard.ts';
import { joinHeads } from '../../evolve/heads/join-heads.ts';
import { listParentEdits, readMigrations } from '../../evolve/heads/stored-migrations.ts';
import {
  type MigrationHistory,
  listMissingMigrationWarnings,
  splitHeads,
} from '../../evolve/heads/split-heads.ts';
import { makeInitialMigration } from '../../evolve/initial.ts';
import { addLateBackfill } from '../../evolve/late-backfill.ts';
import { type NewMigration, makeMigration } from '../../evolve/make-migration.ts';
import type { Migration, Warning } from '../../evolve/migration.ts';
import type { App } from '../../model/app.ts';
import { carryIds } from '../../model/carry.ts';
import type { RunOptions } from '../plan.ts';
import type { Project } from '../read-project.ts';
import { listMigrations, recordedMigrations } from '../untouched.ts';
import type { NextApp } from './next-app.ts';

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
export interface History extends MigrationHistory {
  /** By path of a file: its new text, absent if it is deleted. */
  readonly rewritten: ReadonlyMap<string, { readonly after?: string; readonly reason: string }>;
  /** The folder that all of them move to, if the project changes its engine: `migrations/sqlite`. */
  readonly asideFolder?: string;
}

export function planSchemaStep(project: Project, next: NextApp, options: RunOptions): SchemaStep {
  const history = readHistory(project);
  const { app } = next;
  if (app.database === project.app.database) return migrateSchema(project, next, options, history);
  // The other engine starts a new history; `npm run db:copy` copies the rows.
  const step = stepWithoutChange(app, {
    ...history,
    asideFolder: `migrations/${project.app.database}`,
  });
  return { ...step, migrations: [makeInitialMigration(app, options.schemaText)] };
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
  { built, app: carried }: NextApp,
  { schemaText, migrationName, renames, accepted }: RunOptions,
  history: History,
): SchemaStep {
  const named = { schemaText, ...present({ name: migrationName }) };
  const joined = joinHeads({ ...history, before: project.app, built, accepted, ...named });
  const { before, edits, removed, head, sequence } = joined;
  const app = before === project.app ? carried : carryIds(before, built, renames);
  const newMigration =
    joined.newMigration ?? makeMigration(before, app, { ...named, sequence, parent: head });
  const isOurs = history.recorded.includes(head);
  const { ours } = splitHeads(history.migrations, history.recorded);
  const { again, warnings } = addLateBackfill(isOurs ? ours : [], app);
  const hazards = [newMigration, again].flatMap((it) => it?.hazards ?? []);
  const placed = (newMigration ? listParentEdits(history.migrations) : []).map(
    explainEdit('placed'),
  );
  const edited = edits.map(explainEdit('edited'));
  const filled = (again ? filesOf(again) : []).map(explainEdit('filled'));
  const gone = removed.map((path) => explainEdit('removed')({ path }));
  return {
    app,
    ...present({ newMigration }),
    migrations: newMigration ? [newMigration.migration] : [],
    hazards,
    unaccepted: hazards.filter(
      (it) => needsAcceptance(it) && !accepted.includes(acceptanceKey(it)),
    ),
    warnings: [
      ...(newMigration && isOurs ? listMissingMigrationWarnings(history, newMigration) : []),
      ...warnings,
    ],
    isJoined: edits.length + removed.length > 0,
    ...present({ chosen: joined.chosen }),
    history: { ...history, rewritten: new Map([...placed, ...edited, ...filled, ...gone]) },
  };
}

function filesOf({ migration: { id, files } }: NewMigration) {
  return Object.entries(files).map(([name, content]) => ({
    path: `migrations/${id}/${name}`,
    content,
  }));
}

export const stepReasons = {
  removed: 'Its changes are written again, after the other branch’s migrations.',
  edited: 'It now follows this branch’s migrations.',
  placed: 'It records which migration yours follows.',
  filled: 'The schema now has a `backfill` for its rows.',
  aside: 'It is for the other engine.',
} as const;

const explainEdit =
  (why: keyof typeof stepReasons) =>
  ({ path, content: after }: { readonly path: string; readonly content?: string }) =>
    [path, { ...present({ after }), reason: stepReasons[why] }] as const;
