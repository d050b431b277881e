import { InternalError } from '../../../errors.ts';
import { type App, type Field, showsIds, isUser, type Model } from '../../../model/app.ts';
import { hasPasswords } from '../../../model/app-features.ts';
import { listAgreeingRelations, getField, getId, getModel } from '../../../model/lookups.ts';
import { madeKeys } from '../../../types/keys.ts';
import {
  code,
  type Member,
  tsBlock,
  tsCall,
  tsKey,
  tsObject,
  tsString,
  tsValue,
} from '../../typescript.ts';
import { writableLinks } from '../field-type.ts';
import { drawEvents, momentVariable } from './events.ts';
import { deriveFields } from './derived-fields.ts';
import { drawnKeys, idIn } from './keys.ts';
import { chooseVariable } from './key.ts';
import { printRow, type RowLine } from './print-row.ts';
import type { Row } from './row.ts';
import { drawCall, fitWording } from './values.ts';
import { drawing } from './wording.ts';

/** The view of `seeds/seed.ts`: how to draw a row of each table. */
export function seedView(app: App) {
  const order = insertionOrder(app);
  const users = app.models.find(isUser)?.table;
  const checks = order.filter((model) => model.checks.length > 0).map(printChecks);
  return {
    tables: order.map((model) => ({ name: model.table, ...viewRow(model, order, app) })),
    joints: order.flatMap((model) =>
      writableLinks(model).map(({ table, column, targetColumn, target }) => ({
        name: table,
        leading: code(
          tsObject({
            [column]: tsString(model.table),
            [targetColumn]: tsString(getModel(target, app).table),
          }),
        ),
      })),
    ),
    checks: code(tsBlock(checks, '')),
    ordered: code(checks.length > 0 ? 'inOrder(tables, checks)' : 'tables'),
    users,
    given: code(users === undefined ? 'options' : '{ ...options, users }'),
    options: code(
      hasPasswords(app)
        ? '{ readonly count: number; readonly password: string }'
        : '{ readonly count: number }',
    ),
  };
}

/** `trips: [['ends_on', '>=', 'starts_on']]` */
function printChecks(model: Model): Member {
  const column = (name: string) => getField(model, name).column;
  const list = model.checks.map((it) => [column(it.left), it.operator, column(it.right)]);
  return { name: tsKey(model.table), value: tsValue(list) };
}

/** How to draw a row. A value gets a variable if others use it. */
function viewRow(model: Model, order: readonly Model[], app: App) {
  const keys = drawnKeys(model, order, app);
  const events = drawEvents(model, app);
  const draw = makeDrawer({ model, keys, ...events }, events, app);
  const own = model.fields.filter((it) => it.role === 'declared' && !events.fields.has(it));
  const values = own
    .filter((field) => field !== events.state)
    .map((field) => [chooseVariable(field.column, model), draw(field)] as const);
  const variables = new Map([
    ...keys.map(({ variable, row }) => [variable, row] as const),
    ...events.variables,
    ...values,
  ]);
  const lines = model.fields.flatMap((field) => {
    const key = keys.find((it) => it.field === field);
    const { column } = field;
    if (key !== undefined) {
      const { id, variable } = key;
      return [{ column, value: id, variable, named: idIn(variable, key) }];
    }
    if (!own.includes(field)) return [];
    const variable = field === events.state ? 'state' : chooseVariable(column, model);
    return [{ column, value: variables.get(variable) ?? '', variable }];
  });
  const password = hasPasswords(app) ? [{ column: 'password', value: 'rows.password' }] : [];
  const account = [{ value: 'draw.account(rows.index, enums.Role)' }, ...password];
  const first = [...idLines(model), ...(isUser(model) ? account : [])];
  return printRow([...first, ...lines, ...events.lines], variables);
}

function makeDrawer(row: Row, events: ReturnType<typeof drawEvents>, app: App) {
  const follows = deriveFields(row);
  return (field: Field): string => {
    const following = follows(field);
    const call = following?.text ?? drawCall(row.model, field, app);
    if (!field.nullable || following?.isMaybe === true) return call;
    const before = events.before(field);
    // Without parentheses, an object literal would be read as a function body.
    const body = `() => ${call.startsWith('{') ? `(${call})` : call}`;
    return before === undefined
      ? tsCall('draw.maybe', body)
      : tsCall('draw.once', momentVariable(before), body);
  };
}

/** A text key looks like those that the server makes, or like a slug. */
function idLines(model: Model): readonly RowLine[] {
  const { column, type, default: made, max } = getId(model);
  if (type.kind === 'id') return [];
  const lineOf = (value: string) => [{ column, value }];
  if (type.kind === 'uuid') return lineOf('draw.id()');
  if (made?.kind !== 'key') return lineOf(fitWording(drawing('slug'), { max: Number(max) }));
  const { maker, prefix = '' } = made;
  if (maker === 'uuid text') return lineOf('draw.id()');
  const shape = madeKeys[maker].pattern.replace(/[A-Za-z]_-/, (text) => text.replace('_-', ''));
  return lineOf(tsCall('draw.like', tsString(prefix + shape)));
}

/** Models in the order in which their rows are inserted: required targets first, and optional ones if possible. */
function insertionOrder(app: App): readonly Model[] {
  const ordered: Model[] = [];
  const isThere = (target: string) => ordered.some(({ name }) => name === target);
  const lacks = (model: Model, targets: readonly string[]) =>
    targets.some((target) => target !== model.name && !isThere(target));
  while (ordered.length < app.models.length) {
    const ready = app.models.filter(
      (model) => !ordered.includes(model) && !lacks(model, required(model)),
    );
    const next = ready.find((model) => !lacks(model, referred(model, app))) ?? ready[0];
    if (next === undefined) throw new InternalError('Required relations form a circle.');
    ordered.push(next);
  }
  return ordered;
}

function required(model: Model): readonly string[] {
  return model.relations.flatMap((it) =>
    it.kind === 'one' && !getField(model, it.key).nullable ? [it.target] : [],
  );
}

/** Models that a row may refer to, and the users among the members that it has to agree with. */
function referred(model: Model, { models }: App): readonly string[] {
  const words = listAgreeingRelations(model).flatMap(({ among }) => among.members?.word ?? []);
  const members = models.flatMap((it) =>
    (it.members ?? []).flatMap(({ word, by }) => (words.includes(word) ? [by] : [])),
  );
  const targets = model.relations.flatMap((relation) =>
    relation.kind === 'one' || showsIds(relation) ? [relation.target] : [],
  );
  return [...members, ...targets];
}
