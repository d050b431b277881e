import { acceptanceKey, type Hazard, needsAcceptance } from '../../evolve/hazards/hazard.ts';
import { joinHeads, reportGone } from '../../evolve/heads/join-heads.ts';
import { findHeads } from '../../evolve/heads/stored-migrations.ts';
import { initialMigration } from '../../evolve/initial.ts';
import { type Evolved, fillLate, migrate } from '../../evolve/migrate.ts';
import type { Migration, Warning } from '../../evolve/migration.ts';
import type { App } from '../../model/app.ts';
import { carryIds } from '../../model/carry.ts';
import { present } from '../../schema/present.ts';
import type { History } from '../history.ts';
import type { RunOptions } from '../plan.ts';
import type { Project } from '../read-project.ts';
import { buildNext, nextApp } from './next-app.ts';

/** From the schema of the last run to the present one. */
export interface SchemaStep {
  readonly app: App;
  readonly evolved?: Evolved;
  /** What is added to `migrations/`. */
  readonly migrations: readonly Migration[];
  /** Of all that is written. */
  readonly hazards: readonly Hazard[];
  readonly unaccepted: readonly Hazard[];
  readonly warnings: readonly Warning[];
  readonly history: HistoryStep;
}

/** What becomes of migrations that are there already. */
export interface HistoryStep {
  /** Their files, by path, that get another text; that go, where they get none. */
  readonly rewritten: ReadonlyMap<string, { readonly after?: string; readonly reason: string }>;
  /** Whether one of two branches follows the other now. */
  readonly isJoined: boolean;
  /** The folder that they go to, when the project changes its engine: `migrations/sqlite`. */
  readonly aside?: string;
}

const reasons = {
  removed: 'The new migration does what it did, for both branches.',
  edited: 'It now follows this branch’s migrations.',
  filled: 'The schema now says what its rows get.',
} as const;

export function findSchemaStep(
  project: Project,
  options: RunOptions,
  history: History,
): SchemaStep {
  // A part of the files: the database waits for the run that takes them all.
  if (options.only.length > 0) return quiet(nextApp(project, options));
  const built = buildNext(project, options);
  return built.database === project.app.database
    ? migrateSchema(project, options, built, history)
    : changeEngine(project, options, built);
}

function quiet(app: App, history: Pick<HistoryStep, 'aside'> = {}): SchemaStep {
  return {
    app,
    migrations: [],
    hazards: [],
    unaccepted: [],
    warnings: [],
    history: { rewritten: new Map(), isJoined: false, ...history },
  };
}

function migrateSchema(
  project: Project,
  options: RunOptions,
  built: App,
  history: History,
): SchemaStep {
  const { schemaText, migrationName: name } = options;
  const named = { schemaText, ...(name !== undefined && { name }) };
  const join = joinHeads({
    ...history,
    before: project.app,
    built,
    renames: options.renames,
    ...named,
  });
  const app = carryIds(join.before, built, join.renames);
  const next = { ...named, sequence: join.sequence, parent: join.head };
  const evolved = join.evolved ?? migrate(join.before, app, next);
  const { ours } = findHeads(history.migrations, history.recorded);
  const { again: filled, warnings } = fillLate(ours, { before: join.before, after: app });
  const hazards = [...(evolved ? [evolved] : []), ...filled].flatMap((it) => it.hazards);
  const accepted = new Set([...options.accepted, ...join.accepted]);
  return {
    app,
    ...(evolved && { evolved }),
    migrations: evolved ? [evolved.migration] : [],
    hazards,
    unaccepted: hazards.filter((it) => needsAcceptance(it) && !accepted.has(acceptanceKey(it))),
    warnings: [...(evolved ? reportGone(history, evolved) : []), ...warnings],
    history: {
      isJoined: join.edits.length + join.removed.length > 0,
      rewritten: new Map([
        ...join.edits.map((it) => rewrite(it.path, 'edited', it.content)),
        ...filled.flatMap(({ migration: { id, files } }) =>
          Object.entries(files).map(([name, text]) =>
            rewrite(`migrations/${id}/${name}`, 'filled', text),
          ),
        ),
        ...join.removed.map((path) => rewrite(path, 'removed')),
      ]),
    },
  };
}

function rewrite(path: string, why: keyof typeof reasons, after?: string) {
  return [path, { ...present({ after }), reason: reasons[why] }] as const;
}

/** The other engine starts with a history of its own; the rows come by `npm run db:copy`. */
function changeEngine(project: Project, options: RunOptions, built: App): SchemaStep {
  const app = carryIds(project.app, built, options.renames);
  return {
    ...quiet(app, { aside: `migrations/${project.app.database}` }),
    migrations: [initialMigration(app, options.schemaText)],
  };
}
