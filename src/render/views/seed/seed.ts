import { InternalError } from '../../../errors.ts';
import {
  agreeingOf,
  type App,
  type Field,
  findFieldFor,
  getField,
  hasAccounts,
  hasChecks,
  hasPasswords,
  idColumn,
  isIdList,
  isUser,
  type Model,
  findModel,
} from '../../../model/app.ts';
import { isMadeKey, madeKeys } from '../../../types/keys.ts';
import {
  code,
  linesOf,
  type Member,
  sourceText,
  tsBlock,
  tsCall,
  tsKey,
  tsObject,
  tsString,
  tsValue,
} from '../../typescript.ts';
import { sentLinks } from '../field-type.ts';
import { eventsOf, spokenOf } from './events.ts';
import { followsOf } from './follows.ts';
import { findKeys, idIn } from './keys.ts';
import { variableOf } from './key.ts';
import { isDistinct } from './numbers.ts';
import { columnLine, printRow } from './print-row.ts';
import type { Row } from './row.ts';
import { fitted, isObjectLiteral, preset, valueCall } from './values.ts';
import { slug } from './wording.ts';

/** What `seeds/seed.ts` prints, how a row of each table is drawn, and `seeds/rows.ts`, with what. */
export function seedView(app: App) {
  const order = insertionOrder(app);
  const joints = order.flatMap((model) =>
    sentLinks(model).map(({ table, column, targetColumn, target }) => ({
      name: table,
      leading: tsObject({
        [column]: tsString(model.table),
        [targetColumn]: tsString(findModel(target, app)?.table ?? ''),
      }),
    })),
  );
  const tables = order.map((model) => ({ name: model.table, ...rowOf(model, order, app) }));
  const fillsKeys = tables.some(({ lines }) => sourceText(lines).includes('rows.filled('));
  return {
    tables,
    fillsKeys,
    drawers: code(`one, maybe, ${fillsKeys ? 'filled, ' : ''}next, distinct, share`),
    joints: joints.map(({ name, leading }) => ({ name, leading: code(leading) })),
    ...optionsOf(app),
    ...checksView(order, app),
  };
}

/** What whoever calls `seed` says, and what it hands on. */
function optionsOf(app: App) {
  const hashes = hasPasswords(app);
  const asked = ['readonly count: number', ...(hashes ? ['readonly password: string'] : [])];
  const table = tsString(app.models.find(isUser)?.table ?? '');
  const users = `const users = { table: ${table}, least: enums.Role.length };`;
  return {
    asked: code(`{ ${asked.join('; ')} }`),
    users: code(hasAccounts(app) ? users : ''),
    options: code(hasAccounts(app) ? '{ ...options, users }' : 'options'),
    taken: code(
      ['count', ...(hashes ? ['password'] : []), ...(hasAccounts(app) ? ['users'] : [])].join(', '),
    ),
    context: code(hashes ? '...context, password' : '...context'),
    given: code(hashes ? "'index' | 'password'" : "'index'"),
  };
}

/** The checks of two columns, if there are any. */
function checksView(order: readonly Model[], app: App) {
  if (!hasChecks(app)) return { checks: code(''), rows: code('tables') };
  const checks = tsBlock(order.flatMap(checksOf), '');
  return {
    checks: linesOf(
      '/** What the database asks of two columns of a row, by tables. */',
      `const checks: Checks = ${checks};`,
    ),
    rows: code('inOrder(tables, checks)'),
  };
}

/** `trips: [['ends_on', '>=', 'starts_on']]` */
function checksOf(model: Model): readonly Member[] {
  if (model.checks.length === 0) return [];
  const columnOf = (name: string) => getField(model, name).column;
  const lines = model.checks.map(({ left, operator, right }) =>
    tsValue([columnOf(left), operator, columnOf(right)]),
  );
  return [{ name: tsKey(model.table), value: `[${lines.join(', ')}]` }];
}

/** How a row is drawn: each value has a variable, which is declared where others use it. */
function rowOf(model: Model, order: readonly Model[], app: App) {
  const keys = findKeys(model, order, app);
  const events = eventsOf(model, app);
  const draw = drawerOf({ model, keys, ...events }, events, app);
  const own = model.fields.filter((it) => it.role === 'declared' && !events.fields.has(it));
  const values = own
    .filter((field) => field !== events.state)
    .map((field) => [variableOf(field.column, model), draw(field)] as const);
  const variables = new Map([
    ...keys.map(({ variable, row }) => [variable, row] as const),
    ...events.variables,
    ...values,
  ]);
  const lines = model.fields.flatMap((field) => {
    const key = keys.find(({ column }) => column === field.column);
    if (key !== undefined)
      return [columnLine(key.column, key.id, key.variable, idIn(key.variable, key))];
    if (!own.includes(field)) return [];
    const variable = field === events.state ? 'state' : variableOf(field.column, model);
    return [columnLine(field.column, variables.get(variable) ?? '', variable)];
  });
  const first = [...idLines(model), ...(isUser(model) ? userLines(app) : [])];
  return printRow([...first.map((text) => ({ text })), ...lines, ...events.lines], variables);
}

/** What draws the value of a field, or finds it where it follows from others. */
function drawerOf(row: Row, events: ReturnType<typeof eventsOf>, app: App) {
  const follows = followsOf(row);
  return (field: Field): string => {
    const { call, isMaybe } = follows(field) ?? {
      call: drawnCall(row.model, field, app),
      isMaybe: false,
    };
    if (!field.nullable || isMaybe) return call;
    const before = events.before(field);
    const body = isObjectLiteral(field) ? `(${call})` : call;
    return before === undefined
      ? tsCall('draw.maybe', `() => ${body}`)
      : tsCall('draw.once', spokenOf(before), `() => ${body}`);
  };
}

/** `draw.usually('draft', () => draw.oneOf(enums.PostStatus))` */
function drawnCall(model: Model, field: Field, app: App): string {
  const drawn = valueCall(model, field, app);
  return isDistinct(field, model) ? drawn : preset(field, drawn);
}

/** A key that is a text looks like those that the server makes, or like a slug. */
function idLines(model: Model): readonly string[] {
  const { idType } = model;
  if (idType === 'int') return [];
  const [id, column] = [findFieldFor(model, 'id'), tsKey(idColumn(model))];
  if (idType === 'uuid' || idType === 'uuid text') return [`${column}: draw.id(),`];
  if (!isMadeKey(idType)) return [`${column}: ${fitted(slug, { min: 0, max: Number(id?.max) })},`];
  const { prefix = '' } = id?.default?.kind === 'key' ? id.default : {};
  const shape = madeKeys[idType].pattern.replace(/[A-Za-z]_-/, (text) => text.replace('_-', ''));
  return [`${column}: ${tsCall('draw.like', tsString(prefix + shape))},`];
}

function userLines(app: App): readonly string[] {
  const password = hasPasswords(app) ? ['password: rows.password,'] : [];
  return ['...draw.account(rows.index, enums.Role),', ...password];
}

/** Models in the order of their rows: required targets come first, and optional ones where possible. */
function insertionOrder(app: App): readonly Model[] {
  const ordered = new Set<string>();
  const isReady = (model: Model, targets: (model: Model) => readonly string[]) =>
    targets(model).every((type) => ordered.has(type) || type === model.names.type);
  const remaining = new Set(app.models);
  const models: Model[] = [];
  while (remaining.size > 0) {
    const ready = [...remaining].filter((model) => isReady(model, required));
    const next = ready.find((model) => isReady(model, (it) => referred(it, app))) ?? ready[0];
    if (next === undefined) throw new InternalError('Required relations form a circle.');
    remaining.delete(next);
    ordered.add(next.names.type);
    models.push(next);
  }
  return models;
}

function required({ relations }: Model): readonly string[] {
  return relations.flatMap((relation) =>
    relation.kind === 'one' && !relation.optional ? [relation.target] : [],
  );
}

/** What it may lead to, and those who are among the members that it has to agree with. */
function referred(model: Model, { models }: App): readonly string[] {
  const words = agreeingOf(model).flatMap(({ among }) => among.members?.word ?? []);
  const members = models.flatMap((it) =>
    (it.members ?? []).flatMap(({ word, by }) => (words.includes(word) ? [by] : [])),
  );
  const targets = model.relations.flatMap((relation) =>
    relation.kind === 'one' || isIdList(relation) ? [relation.target] : [],
  );
  return [...members, ...targets];
}
