import {
  type App,
  getField,
  idColumn,
  isUser,
  type Model,
  modelOf,
  type ToOne,
  toOneOf,
} from '../../../model/app.ts';
import { spellVariable } from '../../../naming/name.ts';
import { tsCall, tsObject, tsString } from '../../typescript.ts';
import { modelOfMembers } from '../members.ts';
import { spaced } from './wording.ts';

/** A relation whose key a row holds. */
interface Key {
  readonly relation: ToOne;
  readonly column: string;
  readonly target: Model;
  /** What the row that it leads to is called. */
  readonly variable: string;
}

/** The keys of a row: how the rows that they lead to are found, so that they agree. */
export interface Keys {
  /** The value of the key. */
  valueOf(relation: string): string;
  /** The variable that holds the row to which a key leads, which is there always. */
  rowOf(relation: string): string;
  /** Keys that are always there, to rows of other tables but that of the users. */
  readonly parents: readonly { readonly name: string; readonly target: Model }[];
  /** What finds those rows that others speak of. */
  statements(): readonly string[];
}

/** `order`: the models as their rows are made. */
export function keysOf(model: Model, order: readonly Model[], app: App): Keys {
  const keys = inDepth(keysIn(model, app), model, order);
  const spoken = new Set<Key>();
  const call = (key: Key): Found => findCall(key, { keys, model, order, app, speak });
  const speak = (key: Key) => {
    spoken.add(key);
    return key.variable;
  };
  const found = new Map(keys.map((key) => [key, call(key)]));
  const keyOf = (name: string) => keys.find(({ relation }) => relation.name === name);
  return {
    valueOf(name) {
      const key = keyOf(name);
      const it = key && found.get(key);
      if (key === undefined || it === undefined) return 'null';
      if (spoken.has(key)) return idOf(key, key.variable);
      return it.value ?? idOf(key, it.row);
    },
    rowOf(name) {
      const key = keyOf(name);
      return key === undefined ? '' : speak(key);
    },
    parents: keys
      .filter(({ relation, target }) => !relation.optional && target !== model && !isUser(target))
      .map(({ relation, target }) => ({ name: relation.name, target })),
    statements: () =>
      keys
        .filter((key) => spoken.has(key))
        .map((key) => `const ${key.variable} = ${found.get(key)?.row ?? ''};`),
  };
}

const idOf = ({ relation, target }: Key, row: string) =>
  relation.optional ? `${row}?.${idColumn(target)} ?? null` : `${row}.${idColumn(target)}`;

/** What finds the row, and what is shorter where its id alone is asked for. */
interface Found {
  readonly row: string;
  readonly value?: string | undefined;
}

function keysIn(model: Model, app: App): readonly Key[] {
  return model.fields.flatMap(({ relation: name, column, role }) => {
    const relation = toOneOf(model, name);
    const target = modelOf(relation?.target ?? '', app);
    if (role !== 'key' || relation === undefined || target === undefined) return [];
    return [{ relation, column, target, variable: spellVariable(relation.name, taken) }];
  });
}

/** Variables of the emitted file. */
const taken = ['draw', 'enums', 'hours', 'made', 'moments', 'reached', 'rows', 'state', 'table'];

/** What holds a value of a row, beside what holds those above it. */
export function variableOf(column: string, { relations }: Model): string {
  return spellVariable(column, [
    ...taken,
    ...relations.map(({ name }) => spellVariable(name, taken)),
  ]);
}

/** What lies deepest decides most; a row of the table itself comes last; what must agree, after that with which it does. */
function inDepth(keys: readonly Key[], model: Model, order: readonly Model[]): readonly Key[] {
  const depth = ({ target }: Key) => (target === model ? -1 : order.indexOf(target));
  const isReady = ({ relation }: Key) => relation.among === undefined;
  const sorted = keys.toSorted((one, other) => depth(other) - depth(one));
  return [...sorted.filter(isReady), ...sorted.filter((key) => !isReady(key))];
}

interface Around {
  readonly keys: readonly Key[];
  readonly model: Model;
  readonly order: readonly Model[];
  readonly app: App;
  /** The variable of another key's row. */
  readonly speak: (key: Key) => string;
}

function findCall(key: Key, around: Around): Found {
  const { relation, target } = key;
  const table = tsString(target.table);
  const isThere = around.order.indexOf(target) < around.order.indexOf(around.model);
  if (relation.unique && isThere) {
    const row = tsCall('rows.next', table);
    if (!relation.optional) return { row };
    return {
      row: tsCall('rows.maybe', table),
      value: tsCall('draw.maybe', `() => ${row}.${idColumn(target)}`),
    };
  }
  const members = membersCall(key, around);
  const {
    where,
    id,
    isSure = true,
  } = members === undefined ? agreement(key, around) : { where: {}, ...members };
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

/** The id of one of the members of the row to which the path leads: of one who has an account, where not all have. */
function membersCall(key: Key, around: Around): Omit<Agreement, 'where'> | undefined {
  const { among } = key.relation;
  const end = among && endOf(among.path, around);
  if (among?.members === undefined || end === undefined) return undefined;
  const { word, roles } = among.members;
  const kind = end.model.members?.find((it) => it.word === word);
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
    ? { id: tsCall('rows.filled', table, tsString(user), tsObject(where)), isSure: false }
    : { id: `${tsCall('rows.one', table, tsObject(where))}.${user}` };
}

/** The row at the end of a path of relations, and its id. */
function endOf([first = '', ...others]: readonly string[], { keys, app, speak }: Around) {
  const start = keys.find(({ relation }) => relation.name === first);
  if (start === undefined) return undefined;
  let [model, id] = [start.target, `${speak(start)}${dot(start)}${idColumn(start.target)}`];
  for (const [at, name] of others.entries()) {
    const relation = toOneOf(model, name);
    const next = modelOf(relation?.target ?? '', app);
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

const dot = ({ relation }: Key) => (relation.optional ? '?.' : '.');

interface Agreement {
  /** Printed values that columns of the row have. */
  readonly where: Readonly<Record<string, string>>;
  /** The printed id of the row, and whether there is always one. */
  readonly id?: string;
  readonly isSure?: boolean;
}

/** Two ways from a row to the same kind of thing lead to the same one: a plot and its neighbour are in one garden. */
function agreement(key: Key, around: Around): Agreement {
  const { keys, model, app, speak } = around;
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
      return { where: {}, id: `${speak(other)}${dot(other)}${back.column}`, isSure };
    }
    if (isUser(other.target)) continue;
    const there =
      key.target === model
        ? mine.find(({ column }) => column === other.column)
        : only(mine, other.target);
    if (there !== undefined) {
      where[there.column] = `${speak(other)}${dot(other)}${idColumn(other.target)}`;
      continue;
    }
    for (const { target, column } of mine) {
      const same = only(theirs, target);
      if (same === undefined || isUser(target) || only(mine, target) === undefined) continue;
      where[column] ??= `${speak(other)}${dot(other)}${same.column}`;
    }
  }
  return { where };
}

/** The only key that leads there. */
function only(keys: readonly Key[], to: Model): Key | undefined {
  const [first, second] = keys.filter(({ target }) => target === to);
  return second === undefined ? first : undefined;
}

/** Whether a key names who has to do with all of it: an invoice's customer pays it; a post's author does not comment it. */
const isParty = (name: string) =>
  /\b(customer|client|buyer|payer|debtor|tenant|patient|borrower|member|guest|student|subscriber|donor|policyholder)\b/.test(
    spaced(name),
  );
