import { InternalError } from '../../../errors.ts';
import {
  agreeingOf,
  type App,
  type Field,
  fieldFor,
  getField,
  hasAccounts,
  hasChecks,
  hasPasswords,
  idColumn,
  isIdList,
  isUser,
  type Model,
  modelOf,
} from '../../../model/app.ts';
import { isMadeKey, madeKeys } from '../../../types/keys.ts';
import {
  code,
  importOf,
  linesOf,
  type Member,
  textOf,
  tsBlock,
  tsCall,
  tsKey,
  tsObject,
  tsString,
  tsValue,
} from '../../typescript.ts';
import { sentLinks } from '../field-type.ts';
import { eventsOf } from './events.ts';
import { followsOf } from './follows.ts';
import { keysOf } from './keys.ts';
import { variableOf } from './key.ts';
import { isDistinct } from './numbers.ts';
import { fitted, preset, slugOf, valueCall } from './values.ts';
import { slug } from './wording.ts';

/** What `seeds/seed.ts` prints, how a row of each table is drawn, and `seeds/rows.ts`, with what. */
export function seedView(app: App) {
  const order = insertionOrder(app);
  const joints = order.flatMap((model) =>
    sentLinks(model).map(({ table, column, targetColumn, target }) => ({
      name: table,
      leading: tsObject({
        [column]: tsString(model.table),
        [targetColumn]: tsString(modelOf(target, app)?.table ?? ''),
      }),
    })),
  );
  const tables = order.map((model) => ({ name: model.table, ...rowOf(model, order, app) }));
  const text = tables.map(({ lines, opening }) => `${textOf(opening)}${textOf(lines)}`).join();
  const fillsKeys = text.includes('rows.filled(');
  return {
    tables,
    fillsKeys,
    leavesKeys: !fillsKeys,
    imports: linesOf(
      ...(hasAccounts(app) || text.includes('enums.')
        ? ["import * as enums from '../src/enums.ts';"]
        : []),
      ...(text.includes('draw.') ? ["import * as draw from './draw.ts';"] : []),
      ...importOf('./order.ts', hasChecks(app) && 'type Checks', hasChecks(app) && 'inOrder'),
      ...importOf('./rows.ts', 'type Added', 'addRows', joints.length > 0 && 'links', 'table'),
    ),
    joints: joints.map(({ name, leading }) => ({ name, leading: code(leading) })),
    ...optionsOf(app),
    ...checksView(order, app),
  };
}

/** What whoever calls `seed` says, and what it hands on. */
function optionsOf(app: App) {
  const asked = [
    'readonly count: number',
    ...(hasPasswords(app) ? ['readonly password: string'] : []),
  ];
  const table = tsString(app.models.find(isUser)?.table ?? '');
  const users = `const users = { table: ${table}, least: enums.Role.length };`;
  return {
    asked: code(`{ ${asked.join('; ')} }`),
    users: code(hasAccounts(app) ? users : ''),
    options: code(hasAccounts(app) ? '{ ...options, users }' : 'options'),
  };
}

/** What the database asks of two columns, where it asks anything. */
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

/** What is found before the row is made, and the row's own lines. */
function rowOf(model: Model, order: readonly Model[], app: App) {
  const keys = keysOf(model, order, app);
  const events = eventsOf(model, app);
  const spoken = new Map<Field, string>();
  const speak = (field: Field) => {
    const variable = variableOf(field.column, model);
    if (!spoken.has(field)) spoken.set(field, `const ${variable} = ${draw(field)};`);
    return variable;
  };
  const follows = followsOf({ model, keys, speak, ...events });
  const draw = (field: Field) => {
    const drawn = follows(field) ?? drawnCall(model, field, app);
    const before = events.before(field);
    if (!field.nullable || drawn.startsWith('draw.once(')) return drawn;
    const body = drawn.startsWith('{') ? `(${drawn})` : drawn;
    return before === undefined
      ? tsCall('draw.maybe', `() => ${body}`)
      : tsCall('draw.once', events.speakOf(before.name), `() => ${body}`);
  };
  const title = slugOf(model)?.title;
  if (title !== undefined) speak(title);
  const drawn = model.fields.flatMap((field) => {
    const { role, relation = '' } = field;
    if (role === 'key') return [{ field, value: keys.valueOf(relation) }];
    if (role !== 'declared' || events.fields.has(field)) return [];
    return [{ field, value: events.isState(field) ? 'state' : draw(field) }];
  });
  const lines = [
    ...idLines(model),
    ...(isUser(model) ? userLines(app) : []),
    ...drawn.map(({ field, value }) => {
      const text = spoken.has(field) ? speak(field) : value;
      return text === field.column ? `${text},` : `${tsKey(field.column)}: ${text},`;
    }),
    ...events.lines(),
  ];
  const body = [...keys.statements(), ...events.statements(), ...spoken.values()];
  const isUsed = [...body, ...lines].some((text) => text.includes('rows.'));
  const parameter = isUsed ? 'rows' : '';
  if (body.length === 0) {
    return {
      opening: code(`(${parameter}) => ({`),
      lines: linesOf(...indented(lines, '    ')),
      closing: code('})),'),
    };
  }
  return {
    opening: code(`(${parameter}) => {`),
    lines: linesOf(
      ...indented([...body, 'return {'], '    '),
      ...indented(lines, '      '),
      '    };',
    ),
    closing: code('}),'),
  };
}

const indented = (texts: readonly string[], indent: string) => texts.map((it) => indent + it);

/** `draw.usually('draft', () => draw.oneOf(enums.PostStatus))` */
function drawnCall(model: Model, field: Field, app: App): string {
  const drawn = valueCall(model, field, app);
  return isDistinct(field, model) ? drawn : preset(field, drawn);
}

/** A key that is a text looks like those that the server makes, or like a slug. */
function idLines(model: Model): readonly string[] {
  const { idType } = model;
  if (idType === 'int') return [];
  const [id, column] = [fieldFor(model, 'id'), tsKey(idColumn(model))];
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

/** Models in an order in which rows can be made: what a row must point to comes before it, and what it may, where that can be. */
function insertionOrder(app: App): readonly Model[] {
  const ordered = new Set<string>();
  const isReady = (model: Model, targets: (model: Model) => readonly string[]) =>
    targets(model).every((type) => ordered.has(type) || type === model.names.type);
  const remaining = new Set(app.models);
  const models: Model[] = [];
  while (remaining.size > 0) {
    const ready = [...remaining].filter((model) => isReady(model, required));
    const next = ready.find((model) => isReady(model, (it) => referred(it, app))) ?? ready[0];
    if (next === undefined) throw new InternalError('Required relations run in a circle.');
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
