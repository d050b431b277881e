import { type App, isUser, type Model } from '../../../model/app.ts';
import { idColumn, listRoles } from '../../../model/lookups.ts';
import { tsCall, tsObject, tsString } from '../../typescript.ts';
import { type RowsAround, deriveAgreement } from './agreement.ts';
import { type RowKey, keysIn } from './key.ts';

/** A key with the call that finds its row, or only the id. */
export interface DrawnKey extends RowKey {
  readonly row: string;
  readonly id: string;
}

/** The keys of a row, whose rows agree. `order`: the models in the order in which rows are made. */
export function drawnKeys(model: Model, order: readonly Model[], app: App): readonly DrawnKey[] {
  const keys = sortByDepth(keysIn(model, app), model, order);
  return keys.map((key) => {
    const { row, id = idIn(row, key) } = printKeyCalls(key, { keys, model, order, app });
    return { ...key, row, id };
  });
}

/** Whether a key is required and leads to another table than that of users. */
export const isParent = ({ field, target }: RowKey, model: Model) =>
  !field.nullable && target !== model && !isUser(target);

/** Prints the key, given the variable of the row. */
export const idIn = (row: string, { isOptional, target }: RowKey) =>
  isOptional ? `${row}?.${idColumn(target)} ?? null` : `${row}.${idColumn(target)}`;

/**
 * Sorts keys: deepest rows first, since they decide most, and rows of the same table last. A key that has to agree with
 * another one comes after it.
 */
function sortByDepth(
  keys: readonly RowKey[],
  model: Model,
  order: readonly Model[],
): readonly RowKey[] {
  const depth = ({ target, relation }: RowKey) => {
    const own = target === model ? -1 : order.indexOf(target);
    return relation.among === undefined ? own : own - order.length - 1;
  };
  return keys.toSorted((one, other) => depth(other) - depth(one));
}

/** The role that a relation to a user is called, printed. `user` is the role of everybody who has no other. */
const findRoleCalled = (name: string, app: App) =>
  name !== 'user' && listRoles(app).includes(name) ? tsString(name) : undefined;

function printKeyCalls(
  key: RowKey,
  around: RowsAround,
): { readonly row: string; readonly id?: string } {
  const { relation, field, target, isOptional } = key;
  const { model, order, app } = around;
  const table = tsString(target.table);
  if (field.unique && order.indexOf(target) < order.indexOf(model)) {
    const row = tsCall('rows.next', table);
    if (!isOptional) return { row };
    const id = tsCall('draw.maybe', `() => ${row}.${idColumn(target)}`);
    return { row: tsCall('rows.maybe', table), id };
  }
  const { where, id, isMember, isSure = true } = deriveAgreement(key, around);
  const asked = {
    [idColumn(target)]: id,
    role: isUser(target) ? findRoleCalled(relation.name, app) : undefined,
    ...where,
  };
  const row = tsCall(isOptional ? 'rows.maybe' : 'rows.one', table, tsObject(asked));
  if (isOptional) return isMember ? { row, id: `${id} ?? null` } : { row };
  return id !== undefined && isSure ? { row, id } : { row };
}
