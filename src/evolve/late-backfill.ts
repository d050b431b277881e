import type { App, Field } from '../model/app.ts';
import { valuesOf } from '../model/values.ts';
import { present } from '../schema/present.ts';
import { checksum } from './migration.ts';
import { evolve } from './evolution.ts';
import { acceptanceKey, type Hazard, needsAcceptance } from './hazards/hazard.ts';
import { appAfter, type StoredMigration } from './heads/stored-migration.ts';
import { type Evolved, migrateAgain } from './migrate.ts';
import type { Pair } from './pairs.ts';
import { planChanges } from './plan-changes.ts';
import type { Warning } from './warning.ts';

/**
 * What rows get, said only when the migrations that ask for it were written already: those migrations with it, under
 * the ids that they have. SQL that is somebody's own stays as it is.
 */
export function fillLate(history: readonly StoredMigration[], apps: Pair<App>): Filled {
  const found = findConcerned(history, apps);
  const [own, generated] = [found.filter(isOwn), found.filter((it) => !isOwn(it))];
  return { again: generated.map(makeAgain), warnings: own.map(reportLeft) };
}

interface Filled {
  readonly again: readonly Evolved[];
  readonly warnings: readonly Warning[];
}

interface Concerned {
  readonly stored: StoredMigration;
  readonly filled: Pair<App>;
}

function findConcerned(history: readonly StoredMigration[], apps: Pair<App>): readonly Concerned[] {
  const late = saidLate(apps);
  if (late.size === 0) return [];
  const former = valuesSaid(apps.before);
  const now = new Map([...former, ...late]);
  const generated = history.filter(({ texts }) => texts['schema.yaml'] !== undefined);
  return generated.slice(1).flatMap((stored, index): readonly Concerned[] => {
    const before = appAfter(generated[index] ?? stored);
    const after = appAfter(stored);
    if (before === undefined || after === undefined) return [];
    const filled = { before, after: withValues(after, now) };
    const unfilled = { before, after: withValues(after, former) };
    const isSame = planChanges(filled).sql === planChanges(unfilled).sql;
    return isSame ? [] : [{ stored, filled }];
  });
}

/** Edited, or with a second way in it, which nobody knows how to make any more. */
function isOwn({ stored }: Concerned): boolean {
  return stored.isEdited || stored.replaces.length > 0;
}

function reportLeft({ stored: { id, isEdited, replaces } }: Concerned): Warning {
  const files = ['up.sql', ...(replaces.length > 0 ? ['instead.sql'] : [])];
  return {
    code: 'SCF514',
    message: `What rows get was said after \`migrations/${id}\` was written, which stays as it is: ${isEdited ? 'its SQL was edited by hand' : 'it has a way for each of two branches'}.`,
    help: `Where it is not applied yet, write the \`backfill\` into ${files.map((it) => `\`${it}\``).join(' and ')} there.`,
  };
}

/** Its hazards are those that nobody has agreed to yet. */
function makeAgain({ stored, filled }: Concerned): Evolved {
  const { id, parent, texts, formerly, accepted } = stored;
  const evolved = migrateAgain(filled, {
    id,
    parent: parent ?? '',
    schemaText: texts['schema.yaml'] ?? '',
    formerly: [...formerly, checksum(texts['up.sql'] ?? '')],
  });
  const isOpen = (it: Hazard) => needsAcceptance(it) && !accepted.includes(acceptanceKey(it));
  return { ...evolved, hazards: evolved.hazards.filter(isOpen) };
}

interface Said extends Pick<Field, 'backfill' | 'default'> {
  /** What values the field can have. */
  readonly shape: string;
}

/** By the ids of the fields. */
type ValuesSaid = ReadonlyMap<string, Said>;

/** What is new in the schema, and not for the step that it is about to take. */
function saidLate(apps: Pair<App>): ValuesSaid {
  const former = valuesSaid(apps.before);
  const said = [...valuesSaid(apps.after)].filter(([id, { backfill, default: value }]) => {
    const was = former.get(id);
    return was !== undefined && (isNew(backfill, was.backfill) || isNew(value, was.default));
  });
  if (said.length === 0) return new Map();
  const sources = evolve(apps).kept.flatMap(({ columns }) => columns);
  const isFilled = new Set(sources.flatMap((it) => (it.fill ? [it.after.field.id] : [])));
  return new Map(said.filter(([id]) => !isFilled.has(id)));
}

function isNew(value: unknown, was: unknown): boolean {
  return value !== undefined && JSON.stringify(value) !== JSON.stringify(was);
}

function valuesSaid(app: App): ValuesSaid {
  return new Map(
    app.models.flatMap(({ fields }) =>
      fields.map((field): [string, Said] => [
        field.id,
        {
          ...present({ backfill: field.backfill, default: field.default }),
          shape: shapeOf(field, app),
        },
      ]),
    ),
  );
}

function withValues(app: App, said: ValuesSaid): App {
  const filled = (field: Field): Field => {
    const now = said.get(field.id);
    if (now?.shape !== shapeOf(field, app)) return field;
    return { ...field, ...present({ backfill: backfillOf(field, now) }) };
  };
  const models = app.models.map((model) => ({ ...model, fields: model.fields.map(filled) }));
  return { ...app, models };
}

/** A default that came later is for rows that had none. */
function backfillOf(field: Field, now: Said) {
  const value = now.default?.kind === 'literal' ? now.default.value : undefined;
  return now.backfill ?? field.backfill ?? (field.default === undefined ? value : undefined);
}

function shapeOf(field: Field, app: App): string {
  const { type, min, max } = field;
  return JSON.stringify([type, min, max, valuesOf(field, app)]);
}
