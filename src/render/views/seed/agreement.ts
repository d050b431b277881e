import { spaced } from '../../../naming/name.ts';
import {
  type App,
  getField,
  idColumn,
  isUser,
  type Model,
  findMembersCalled,
  findModel,
  findToOne,
} from '../../../model/app.ts';
import { tsCall, tsObject, tsString } from '../../typescript.ts';
import { modelOfMembers } from '../members.ts';
import { dot, type RowKey, keysIn, type Use } from './key.ts';

export interface Around {
  readonly keys: readonly RowKey[];
  readonly model: Model;
  readonly order: readonly Model[];
  readonly app: App;
  readonly use: Use;
  /** The variable of another key's row. */
  readonly nameFor: (key: RowKey) => string;
}

/** The id of one of the members of the row to which the path leads: of one who has an account, where not all have. */
export function findMemberOf(key: RowKey, around: Around): Omit<Agreement, 'where'> | undefined {
  const { among } = key.relation;
  const end = among && endOf(among.path, around);
  if (among?.members === undefined || end === undefined) return undefined;
  const { word, roles } = among.members;
  const kind = findMembersCalled(word, end.model);
  if (kind?.user === undefined) return undefined;
  const by = modelOfMembers(kind, around.app);
  if (around.order.indexOf(by) > around.order.indexOf(around.model)) return undefined;
  const column = (name: string) => getField(by, name).column;
  const isSome = kind.role !== undefined && roles.length > 0 && roles.length < kind.roles.length;
  const where = {
    [column(kind.of)]: end.id,
    ...(isSome && { [column(kind.role)]: tsString(roles.at(-1) ?? '') }),
  };
  const [table, user] = [tsString(by.table), column(kind.user)];
  if (key.relation.optional)
    return { id: `${tsCall('rows.maybe', table, tsObject(where))}?.${user}` };
  return getField(by, kind.user).nullable
    ? {
        id: tsCall(around.use('rows.filled'), table, tsString(user), tsObject(where)),
        isSure: false,
      }
    : { id: `${tsCall('rows.one', table, tsObject(where))}.${user}` };
}

/** The row at the end of a path of relations, and its id. */
function endOf([first = '', ...others]: readonly string[], { keys, app, nameFor }: Around) {
  const start = keys.find(({ relation }) => relation.name === first);
  if (start === undefined) return undefined;
  let [model, id] = [start.target, `${nameFor(start)}${dot(start)}${idColumn(start.target)}`];
  for (const [at, name] of others.entries()) {
    const relation = findToOne(model, name);
    const next = findModel(relation?.target ?? '', app);
    const column = model.fields.find((field) => field.relation === name)?.column;
    if (next === undefined || column === undefined) return undefined;
    id =
      at === 0
        ? `${start.variable}${dot(start)}${column}`
        : `${tsCall('rows.one', tsString(model.table), tsObject({ [idColumn(model)]: id }))}.${column}`;
    model = next;
  }
  return { model, id };
}

interface Agreement {
  /** Printed values that columns of the row have. */
  readonly where: Readonly<Record<string, string>>;
  /** The printed id of the row, and whether there is always one. */
  readonly id?: string;
  readonly isSure?: boolean;
}

/** Two ways from a row to the same kind of thing lead to the same one: a plot and its neighbour are in one garden. */
export function deriveAgreement(key: RowKey, around: Around): Agreement {
  const { keys, model, app, nameFor } = around;
  const { among } = key.relation;
  const end = among && endOf(among.path, around);
  if (among?.own !== undefined && end !== undefined) {
    const own = key.target.fields.find((field) => field.relation === among.own);
    return { where: { [own?.column ?? '']: end.id } };
  }
  const where: Record<string, string> = {};
  const mine = keysIn(key.target, app);
  for (const other of keys.slice(0, keys.indexOf(key))) {
    const theirs = keysIn(other.target, app);
    const back = other.target === key.target ? undefined : only(theirs, key.target);
    if (back !== undefined && (!isUser(key.target) || isParty(key.relation.name))) {
      const isSure = !other.relation.optional && !back.relation.optional;
      return { where: {}, id: `${nameFor(other)}${dot(other)}${back.column}`, isSure };
    }
    if (isUser(other.target)) continue;
    const there =
      key.target === model
        ? mine.find(({ column }) => column === other.column)
        : only(mine, other.target);
    if (there !== undefined) {
      where[there.column] = `${nameFor(other)}${dot(other)}${idColumn(other.target)}`;
      continue;
    }
    for (const { target, column } of mine) {
      const same = only(theirs, target);
      if (same === undefined || isUser(target) || only(mine, target) === undefined) continue;
      where[column] ??= `${nameFor(other)}${dot(other)}${same.column}`;
    }
  }
  return { where };
}

/** The only key that leads there. */
function only(keys: readonly RowKey[], to: Model): RowKey | undefined {
  const [first, second] = keys.filter(({ target }) => target === to);
  return second === undefined ? first : undefined;
}

/**
 * Whether a key names who has to do with all of it: an invoice's customer pays it; a post's author does not comment it.
 */
const isParty = (name: string) =>
  /\b(customer|client|buyer|payer|debtor|tenant|patient|borrower|member|guest|student|subscriber|donor|policyholder)\b/.test(
    spaced(name),
  );
