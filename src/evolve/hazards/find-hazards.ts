import type { Change } from '../changes/change.ts';
import { countRows } from './counts.ts';
import type { Evolution } from '../evolution.ts';
import { addField, dropField, requireField } from './fields.ts';
import { type Draft, hazard, type Hazard } from './hazard.ts';
import { addKey } from './keys.ts';
import { lockHazards } from './locks.ts';
import { uniqueHazards } from './unique.ts';
import { convertField, dropValue } from './values.ts';

/** What may go wrong when the changes are made to a database with rows in it. */
export function findHazards(changes: readonly Change[], evolution: Evolution): readonly Hazard[] {
  const ofChanges = changes.flatMap((change) =>
    draftsOf(change, evolution).map((draft) => ({ ...draft, target: change.target })),
  );
  return [...ofChanges, ...uniqueHazards(evolution), ...lockHazards(evolution)];
}

function draftsOf(change: Change, evolution: Evolution): readonly Draft[] {
  const { target } = change;
  switch (change.kind) {
    case 'drop_model':
      return [dropTable(`The rows of \`${target}\` are deleted.`, change.before.table)];
    case 'drop_links':
      return [dropTable(`The links of \`${target}\` are deleted.`, change.before.table)];
    case 'drop_field':
      return dropField(change);
    case 'add_field':
      return addField(change, evolution);
    case 'require_field':
      return requireField(change, evolution);
    case 'change_type':
    case 'change_bounds':
      return convertField(change, evolution);
    case 'drop_value':
      return dropValue(change, evolution);
    case 'add_key':
      return addKey(change, evolution);
    case 'change_id':
      return [
        hazard(
          'SCF416',
          `Every row of \`${target}\` gets a new id; keys in this database follow, links from elsewhere do not.`,
          { count: countRows(change.before.table) },
        ),
      ];
    case 'rename_model':
    case 'move_table':
    case 'rename_field':
    case 'move_column':
    case 'rename_links':
    case 'rename_value':
      return [hazard('SCF441', failure)];
    default:
      return [];
  }
}

const failure = 'Servers that still run the old code fail once this is applied.';

function dropTable(message: string, table: string): Draft {
  return hazard('SCF411', message, { count: countRows(table) });
}
