import type { App, Model } from '../../model/app.ts';
import type { Change, ModelField, Value } from '../changes/change.ts';
import type { TableChanges } from '../table-changes.ts';
import { makeBreakingHazard, type Hazard, makeMisleadingHazard } from './hazard.ts';

/** Old code fails if a name is missing, but is misled if something else has the name now. */
export function findNameHazard(
  change: Change,
  { apps }: Pick<TableChanges, 'apps'>,
  fails = makeBreakingHazard(change.target),
): Hazard {
  const name = takenName(change, apps.after);
  return name === undefined ? fails : makeMisleadingHazard(change.target, name);
}

/** The former name of a renamed or dropped thing, if something else has it now. */
function takenName(change: Change, after: App): string | undefined {
  switch (change.kind) {
    case 'rename_value':
    case 'drop_value':
      return takenValue(change.before, after);
    case 'rename_field':
    case 'move_column':
    case 'drop_field':
    case 'link_key':
      return takenColumn(change.before, after);
    case 'rename_model':
    case 'move_table':
    case 'drop_model':
      return takenTable(change.before, after);
    default:
      return undefined;
  }
}

function takenValue({ id, enum: of, value }: Value, { enums }: App): string | undefined {
  const values = enums.find((it) => it.id === of.id)?.values ?? [];
  return values.some((it) => it.value === value && it.id !== id) ? value : undefined;
}

function takenColumn({ model, field }: ModelField, { models }: App): string | undefined {
  const fields = models.find(({ id, table }) => id === model.id && table === model.table)?.fields;
  const isTaken = fields?.some(({ id, column }) => column === field.column && id !== field.id);
  return isTaken ? `${model.table}.${field.column}` : undefined;
}

/** Whether old statements fail on the table that now has the name, because it lacks a column. */
function takenTable({ id, table, fields }: Model, { models }: App): string | undefined {
  const taker = models.find((it) => it.table === table && it.id !== id);
  const columns = new Set(taker?.fields.map(({ column }) => column));
  return taker && fields.every(({ column }) => columns.has(column)) ? table : undefined;
}
