import { spacedWords } from '../../../naming/name.ts';
import { type App, isUser, type Model } from '../../../model/app.ts';
import { getField, getTarget, idColumn, findMemberKind, getModel } from '../../../model/lookups.ts';
import { tsCall, tsObject, tsString } from '../../typescript.ts';
import { type RowKey, keysIn, valueAbove } from './key.ts';

export interface RowsAround {
  readonly keys: readonly RowKey[];
  readonly model: Model;
  readonly order: readonly Model[];
  readonly app: App;
}

interface Agreement {
  /** Printed values of columns that the row must have. */
  readonly where?: Readonly<Record<string, string>>;
  /** The printed id of the row, and whether it may be missing. */
  readonly id?: string;
  readonly isSure?: boolean;
  /** Whether it is a member of a row. */
  readonly isMember?: true;
}

/** What the row that a key leads to must have in common with the rows that other keys lead to. */
export function deriveAgreement(key: RowKey, around: RowsAround): Agreement {
  const { among } = key.relation;
  const end = among && findEnd(among.path, around);
  if (among === undefined || end === undefined) return withOthers(key, around);
  const member = among.members && findMemberAgreement(key, among.members, end, around);
  if (member !== undefined) return member;
  const own = keysIn(key.target, around.app).find(({ relation }) => relation.name === among.own);
  return own === undefined ? withOthers(key, around) : { where: { [own.field.column]: end.id } };
}

interface End {
  readonly model: Model;
  readonly id: string;
}

/** The row at the end of a path of relations. */
function findEnd(
  [first = '', ...others]: readonly string[],
  { keys, app }: RowsAround,
): End | undefined {
  const start = keys.find(({ relation }) => relation.name === first);
  if (start === undefined) return undefined;
  let [model, id] = [start.target, valueAbove(start, idColumn(start.target))];
  let valueOf = (column: string) => valueAbove(start, column);
  for (const name of others) {
    const { target, key } = getTarget(model, name, app);
    [model, id] = [target, valueOf(key.column)];
    const row = tsCall('rows.one', tsString(target.table), tsObject({ [idColumn(target)]: id }));
    valueOf = (of) => `${row}.${of}`;
  }
  return { model, id };
}

/** One of the members of a row. */
function findMemberAgreement(
  { isOptional }: RowKey,
  { word, roles }: NonNullable<NonNullable<RowKey['relation']['among']>['members']>,
  end: End,
  { order, model, app }: RowsAround,
): Agreement | undefined {
  const kind = findMemberKind(word, end.model);
  if (kind?.user === undefined) return undefined;
  const by = getModel(kind.by, app);
  if (order.indexOf(by) > order.indexOf(model)) return undefined;
  const column = (name: string) => getField(by, name).column;
  const isSome = kind.role !== undefined && roles.length > 0 && roles.length < kind.roles.length;
  const where = tsObject({
    [column(kind.of)]: end.id,
    ...(isSome && { [column(kind.role)]: tsString(roles.at(-1) ?? '') }),
  });
  const row = tsCall(isOptional ? 'rows.maybe' : 'rows.one', tsString(by.table), where);
  const id = `${row}${isOptional ? '?.' : '.'}${column(kind.user)}`;
  return { id, isSure: !getField(by, kind.user).nullable, isMember: true };
}

/** Makes two keys lead to rows with the same parent: a plot and its neighbour are in one garden. */
function withOthers(key: RowKey, { keys, app }: RowsAround): Agreement {
  const where: Record<string, string> = {};
  const mine = onlyKeys(key.target, app);
  for (const other of keys.slice(0, keys.indexOf(key))) {
    const theirs = onlyKeys(other.target, app);
    const back = other.target === key.target ? undefined : theirs.get(key.target);
    if (back !== undefined && (!isUser(key.target) || isParty(key.relation.name))) {
      const isSure = !other.field.nullable && !back.field.nullable;
      return { id: valueAbove(other, back.field.column), isSure };
    }
    for (const [target, { field }] of isUser(other.target) ? [] : mine) {
      const same = target === other.target ? idColumn(target) : theirs.get(target)?.field.column;
      if (same !== undefined && !isUser(target)) where[field.column] ??= valueAbove(other, same);
    }
  }
  return { where };
}

/** The keys of a model by target, for targets that only one key leads to. */
function onlyKeys(model: Model, app: App): ReadonlyMap<Model, RowKey> {
  const keys = keysIn(model, app);
  const isOnly = ({ target }: RowKey) => keys.filter((it) => it.target === target).length === 1;
  return new Map(keys.filter(isOnly).map((key) => [key.target, key]));
}

/**
 * Whether the name of a key is that of somebody involved in the whole: the customer of an invoice also pays it, but the
 * author of a post does not write its comments.
 */
const isParty = (name: string) =>
  /\b(customer|client|buyer|payer|debtor|tenant|patient|borrower|member|guest|student|subscriber|donor|policyholder)\b/.test(
    spacedWords(name),
  );
