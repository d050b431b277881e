import type { Field } from '../../model/app.ts';
import { schemaName } from '../../naming/name.ts';
import { spellType } from '../../types/all.ts';
import { type Change, placeName } from './change.ts';

/** One sentence a change, for the comments of a migration and for the plan. */
export function describeChange(change: Change): string {
  const { target } = change;
  switch (change.kind) {
    case 'add_model':
    case 'add_field':
    case 'add_links':
    case 'add_value':
      return `${target} is new.`;
    case 'drop_model':
    case 'drop_field':
    case 'drop_links':
    case 'drop_value':
      return `${target} is dropped.`;
    case 'rename_model':
      return `${schemaName(change.before)} is now called ${target}.`;
    case 'move_table':
      return `The table of ${target} is now called ${change.after.table}.`;
    case 'change_id':
      return `The ids of ${target} become ${change.after.idType === 'uuid' ? 'uuids' : 'numbers'}.`;
    case 'rename_links':
      return `The links of ${target} move to the table ${change.after.table}.`;
    case 'rename_field':
      return `${placeName(change.before)} is now called ${target}.`;
    case 'move_column':
      return `The column of ${target} is now called ${change.after.field.column}.`;
    case 'change_type':
      return `${target} was ${spellType(change.before.field.type)} and becomes ${spellType(change.after.field.type)}.`;
    case 'change_bounds':
      return `${target} was ${boundedType(change.before.field)} and becomes ${boundedType(change.after.field)}.`;
    case 'require_field':
      return `${target} is required.`;
    case 'relax_field':
      return `${target} is optional.`;
    case 'change_default':
      return `${target} has another default.`;
    case 'add_key':
      return `${target} refers to rows of another table.`;
    case 'drop_key':
      return `${target} no longer refers to another table.`;
    case 'change_on_delete':
      return `What deleting does to ${target} changes.`;
    case 'add_unique':
      return `${target} is unique.`;
    case 'drop_unique':
      return `${target} need not be unique.`;
    case 'add_index':
      return `${target} is indexed.`;
    case 'drop_index':
      return `${target} is no longer indexed.`;
    case 'rename_value':
      return `${change.before.enum.name}.${change.before.value} is now called ${target}.`;
  }
}

/** The ids of the tables that a change is about. */
export function tablesOfChange(change: Change): readonly string[] {
  const thing = 'after' in change ? change.after : change.before;
  if ('places' in thing) return thing.places.map(({ model }) => model.id);
  return ['model' in thing ? thing.model.id : thing.id];
}

/** `string(3..160)` */
function boundedType(field: Field): string {
  const { min, max } = field;
  const isBounded = min !== undefined || max !== undefined;
  return isBounded ? `${spellType(field.type)}(${min ?? ''}..${max ?? ''})` : spellType(field.type);
}
