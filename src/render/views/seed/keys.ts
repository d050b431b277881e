import { type App, isUser, type Model } from '../../../model/app.ts';
import { idColumn } from '../../../model/lookups.ts';
import { tsCall, tsObject, tsString } from '../../typescript.ts';
import { type Around, deriveAgreement } from './agreement.ts';
import { type RowKey, keysIn } from './key.ts';

/** A key, and what finds the row that it leads to, or its id alone. */
export interface DrawnKey extends RowKey {
  readonly row: string;
  readonly id: string;
}

/** The keys of a row, whose rows agree; `order`: the models as their rows are made. */
export function drawnKeys(model: Model, order: readonly Model[], app: App): readonly DrawnKey[] {
  const keys = inDepth(keysIn(model, app), model, order);
  return keys.map((key) => {
    const { row, id = idIn(row, key) } = findCalls(key, { keys, model, order, app });
    return { ...key, row, id };
  });
}

/** Keys that are always there, to rows of other tables but that of the users. */
export const isParent = ({ relation, target }: RowKey, model: Model) =>
  !relation.optional && target !== model && !isUser(target);

/** What the key holds, once there is the row. */
export const idIn = (row: string, { isOptional, target }: RowKey) =>
  isOptional ? `${row}?.${idColumn(target)} ?? null` : `${row}.${idColumn(target)}`;

/**
 * What lies deepest decides most; a row of the table itself comes last; what must agree, after that with which it does.
 */
function inDepth(
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

function findCalls(key: RowKey, around: Around): { readonly row: string; readonly id?: string } {
  const { relation, target, isOptional } = key;
  const { model, order, app } = around;
  const table = tsString(target.table);
  if (relation.unique && order.indexOf(target) < order.indexOf(model)) {
    const row = tsCall('rows.next', table);
    if (!isOptional) return { row };
    const id = tsCall('draw.maybe', `() => ${row}.${idColumn(target)}`);
    return { row: tsCall('rows.maybe', table), id };
  }
  const { where, id, isMember, isSure = true } = deriveAgreement(key, around);
  const asked = {
    [idColumn(target)]: id,
    role: isUser(target) && app.roles.includes(relation.name) ? tsString(relation.name) : undefined,
    ...where,
  };
  const row = tsCall(isOptional ? 'rows.maybe' : 'rows.one', table, tsObject(asked));
  if (isOptional) return isMember ? { row, id: `${id} ?? null` } : { row };
  return id !== undefined && isSure ? { row, id } : { row };
}
