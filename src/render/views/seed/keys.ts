import { type App, idColumn, isUser, type Model } from '../../../model/app.ts';
import { tsCall, tsObject, tsString } from '../../typescript.ts';
import { deriveAgreement, type Around, findMemberOf } from './agreement.ts';
import { type RowKey, keysIn, type Use } from './key.ts';

/** The keys of a row: how the rows that they lead to are found, so that they agree. */
export interface RowKeys {
  /** The value of the key. */
  valueOf(relation: string): string;
  /** The variable that holds the row to which a key leads, which is there always. */
  rowOf(relation: string): string;
  /** Keys that are always there, to rows of other tables but that of the users. */
  readonly parents: readonly { readonly name: string; readonly target: Model }[];
  /** What finds the rows that have a variable. */
  statements(): readonly string[];
}

/** `order`: the models as their rows are made. */
export function readRowKeys(model: Model, order: readonly Model[], app: App, use: Use): RowKeys {
  const keys = inDepth(keysIn(model, app), model, order);
  if (keys.length > 0) use('rows');
  const named = new Set<RowKey>();
  const call = (key: RowKey): Found => findCall(key, { keys, model, order, app, use, nameFor });
  const nameFor = (key: RowKey) => {
    named.add(key);
    return key.variable;
  };
  const found = new Map(keys.map((key) => [key, call(key)]));
  const keyOf = (name: string) => keys.find(({ relation }) => relation.name === name);
  return {
    valueOf(name) {
      const key = keyOf(name);
      const it = key && found.get(key);
      if (key === undefined || it === undefined) return 'null';
      if (named.has(key)) return idOf(key, key.variable);
      if (it.isDrawn) use('draw');
      return it.value ?? idOf(key, it.row);
    },
    rowOf(name) {
      const key = keyOf(name);
      return key === undefined ? '' : nameFor(key);
    },
    parents: keys
      .filter(({ relation, target }) => !relation.optional && target !== model && !isUser(target))
      .map(({ relation, target }) => ({ name: relation.name, target })),
    statements: () =>
      keys
        .filter((key) => named.has(key))
        .map((key) => `const ${key.variable} = ${found.get(key)?.row ?? ''};`),
  };
}

const idOf = ({ relation, target }: RowKey, row: string) =>
  relation.optional ? `${row}?.${idColumn(target)} ?? null` : `${row}.${idColumn(target)}`;

/** What finds the row, and what is shorter where its id alone is asked for. */
interface Found {
  readonly row: string;
  readonly value?: string | undefined;
  readonly isDrawn?: true;
}

/**
 * What lies deepest decides most; a row of the table itself comes last; what must agree, after that with which it does.
 */
function inDepth(
  keys: readonly RowKey[],
  model: Model,
  order: readonly Model[],
): readonly RowKey[] {
  const depth = ({ target }: RowKey) => (target === model ? -1 : order.indexOf(target));
  const sorted = keys.toSorted((one, other) => depth(other) - depth(one));
  return [...sorted.filter(isReady), ...sorted.filter((key) => !isReady(key))];
}

const isReady = ({ relation }: RowKey) => relation.among === undefined;

function findCall(key: RowKey, around: Around): Found {
  const { relation, target } = key;
  const table = tsString(target.table);
  const isThere = around.order.indexOf(target) < around.order.indexOf(around.model);
  if (relation.unique && isThere) {
    const row = tsCall('rows.next', table);
    if (!relation.optional) return { row };
    return {
      row: tsCall('rows.maybe', table),
      value: tsCall('draw.maybe', `() => ${row}.${idColumn(target)}`),
      isDrawn: true,
    };
  }
  const members = findMemberOf(key, around);
  const {
    where,
    id,
    isSure = true,
  } = members === undefined ? deriveAgreement(key, around) : { where: {}, ...members };
  const role = isUser(target) && around.app.roles.includes(relation.name) && relation.name;
  const asked = {
    ...(id !== undefined && { [idColumn(target)]: id }),
    ...(role !== false && { role: tsString(role) }),
    ...where,
  };
  const row = tsCall(relation.optional ? 'rows.maybe' : 'rows.one', table, tsObject(asked));
  if (relation.optional) return { row, value: members && `${members.id} ?? null` };
  return { row, value: isSure ? id : undefined };
}
