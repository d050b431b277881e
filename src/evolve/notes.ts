import type { App } from '../model/app.ts';
import { type Change, splitTarget, tablePlace } from './changes/change.ts';
import { acceptanceKey, type Hazard } from './hazards/hazard.ts';
import { isInternal } from './tables/internal-tables.ts';
import type { Table } from './tables/table.ts';

/** The sentences about each table. */
export type Notes = (table: Pick<Table, 'id' | 'name'>) => readonly string[];

/**
 * Each change with its own hazards, then the hazards of the table as a whole. Breaking of running code is mentioned
 * once, at the top of the migration.
 */
export function notesOf(changes: readonly Change[], hazards: readonly Hazard[], after: App): Notes {
  const risks = hazards.filter(({ kind }) => kind !== 'breaks');
  const notes = changes.map((change) => ({
    tables: tablesOf(change),
    lines: [change.sentence, ...risks.filter((risk) => isRiskOf(change, risk)).map(describeRisk)],
  }));
  const others = risks.filter((risk) => !changes.some((change) => isRiskOf(change, risk)));
  return (table) => {
    const place = tablePlace(table, after);
    return [
      ...(isInternal(table.id) ? [internalNote] : []),
      ...new Set([
        ...notes.filter(({ tables }) => tables.includes(table.id)).flatMap(({ lines }) => lines),
        ...others.filter(({ target }) => splitTarget(target).owner === place).map(describeRisk),
      ]),
    ];
  };
}

/** The ids of the tables that a change is about. */
function tablesOf(change: Change): readonly string[] {
  const thing = 'after' in change ? change.after : change.before;
  if ('places' in thing) return thing.places.map(({ model }) => model.id);
  return ['model' in thing ? thing.model.id : thing.id];
}

/** Something new may have the name of something dropped. */
function isRiskOf(change: Change, risk: Hazard): boolean {
  if (risk.target !== change.target) return false;
  // A type that cannot be converted loses all values, as a dropped field does.
  if (change.kind === 'change_type') return risk.code !== 'SCF415';
  return lossesOfDrops.has(risk.code) === (change.kind === 'drop_key' || !('after' in change));
}

const lossesOfDrops: ReadonlySet<Hazard['code']> = new Set(['SCF411', 'SCF412', 'SCF415']);

function describeRisk(hazard: Hazard): string {
  return `${acceptanceKey(hazard)}: ${hazard.message.replaceAll('`', '')}`;
}

const internalNote = "A table of the server's own: the code of this version needs it so.";
