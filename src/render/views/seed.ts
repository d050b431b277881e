import {
  type App,
  type Field,
  isIdList,
  isUser,
  type Model,
  modelOf,
  type ToOne,
  toOneOf,
} from '../../model/app.ts';
import { capitalized } from '../../naming/name.ts';
import { linesOf, tsCall, tsKey, tsString } from '../typescript.ts';
import { sentLinks } from './field-type.ts';
import type { Value } from './seed/texts.ts';
import { isUnique, statesOf, timesOf, value } from './seed/values.ts';
import { InternalError } from '../../errors.ts';

/** What `src/database/seed.ts` prints: one function a model, which makes its rows. */
export function seedView(app: App) {
  const order = insertionOrder(app);
  return {
    userTable: app.models.find(isUser)?.table ?? 'users',
    models: order.map((model) => modelView(model, order, app)),
  };
}

function modelView(model: Model, order: readonly Model[], app: App) {
  const joints = jointsOf(model, order);
  const constants = constantsOf(model, joints, app);
  const { times, locals } = timesOf(model);
  const { states, locals: stateLocals } = statesOf(model, app, times);
  const before = [...(isUser(model) ? userLocals : []), ...locals, ...stateLocals];
  const fields = model.fields.filter(isDrawn).map((field) => {
    const text = times.get(field.name) ?? states.get(field.name);
    const drawn = text === undefined ? fieldValue(model, field, app) : { text };
    return { name: field.column, ...drawn };
  });
  const takes = [
    'add',
    'count',
    ...(constants.length > 0 ? ['ids'] : []),
    ...(joints.length > 0 ? ['link'] : []),
    ...(isUser(model) ? ['password'] : []),
  ];
  const drawn = [
    ...(fields.some(({ again }) => again === true) ? ['again'] : []),
    ...(isUser(model) ? ['index'] : []),
    ...(keysOf(model).some(({ target }) => target === model.names.type) ? ['made'] : []),
  ];
  const row = drawn.length > 0 ? `({ ${drawn.join(', ')} })` : '()';
  const call = `${joints.length > 0 ? 'const newIds = ' : ''}await add(`;
  const wanted = isUser(model) ? 'Math.max(count, enums.Role.length)' : 'count';
  const members = [
    ...[...(model.idType === 'uuid' ? [idField] : []), ...fields].map(member),
    ...(model.timestamps ? ['...draw.timestamps(),'] : []),
  ];
  return {
    ...model.names,
    signature: linesOf(...signature(`add${model.names.typePlural}`, takes)),
    body: linesOf(
      ...constants.map(({ name, text }) => `  const ${name} = ${text};`),
      ...linesAround(call, [tsString(model.table), wanted, `${row} =>`], members, before),
      ...joints.flatMap(({ lines }) => lines),
    ),
  };
}

function signature(name: string, takes: readonly string[]): readonly string[] {
  const line = `async function ${name}({ ${takes.join(', ')} }: draw.Seeding): Promise<void> {`;
  if (line.length <= 100) return [line];
  const members = takes.map((each) => `  ${each},`);
  return [`async function ${name}({`, ...members, '}: draw.Seeding): Promise<void> {'];
}

/** A call whose last argument makes a row, on one line where that fits. */
function linesAround(
  call: string,
  args: readonly string[],
  members: readonly string[],
  locals: readonly Named[],
): readonly string[] {
  const open = locals.length > 0 ? '{' : '({';
  const close = locals.length > 0 ? '}' : '})';
  const line = `  ${call}${args.join(', ')} ${open}`;
  const isOne = line.length <= 100;
  const split = [`  ${call}`, ...args.map((each) => `    ${each},`)].join('\n');
  const indent = isOne ? '    ' : '      ';
  const constants = locals.map(({ name, text }) => `${indent}const ${name} = ${text};`);
  const values =
    locals.length === 0
      ? members.map((each) => indent + each)
      : [
          ...constants,
          `${indent}return {`,
          ...members.map((each) => `${indent}  ${each}`),
          `${indent}};`,
        ];
  return [
    isOne ? line : `${split.slice(0, -1)} ${open}`,
    ...values,
    isOne ? `  ${close});` : `    ${close},\n  );`,
  ];
}

interface Named {
  readonly name: string;
  readonly text: string;
}

const member = ({ name, text }: Named) => (name === text ? `${name},` : `${tsKey(name)}: ${text},`);

const idField: Named = {
  name: 'id',
  text: 'faker.string.uuid({ version: 7, refDate: faker.date.past() })',
};

/** Somebody to log in as, for each role. */
const userLocals: readonly Named[] = [
  { name: 'role', text: 'enums.Role[index]' },
  {
    name: 'person',
    text: '{ firstName: faker.person.firstName(), lastName: faker.person.lastName() }',
  },
  { name: 'email', text: "faker.internet.email({ ...person, provider: 'example.com' })" },
];

const userValues: Readonly<Record<string, string>> = {
  name: '`${person.firstName} ${person.lastName}`',
  email: 'role ? `${role}@example.com` : email',
  password: 'password',
  role: "role ?? faker.helpers.arrayElement(enums.Role.filter((each) => each !== 'admin'))",
};

/** Ids of their own and times are added where they stand. */
function isDrawn({ role }: Field): boolean {
  return role === 'declared' || role === 'base' || role === 'key';
}

function fieldValue(model: Model, field: Field, app: App): Value {
  if (field.role === 'base') return { text: userValues[field.name] ?? 'null' };
  const relation = toOneOf(model, field.relation);
  return relation === undefined
    ? value(model, field, app)
    : { text: key(model, field, relation, app) };
}

function key(model: Model, field: Field, relation: ToOne, app: App): string {
  if (relation.target === model.names.type) return tsCall('draw.maybeOneOf', 'made');
  if (isUnique(field, model)) {
    const turn = turnOf(relation);
    return relation.optional ? tsCall('draw.maybe', tsCall(turn)) : tsCall(turn);
  }
  const choose = relation.optional ? 'draw.maybeOneOf' : 'faker.helpers.arrayElement';
  return tsCall(choose, idsOf(relation.target, app, roleOf(relation, app)));
}

/** Somebody who is there for it: the `editor` of a post is a user with that role. */
function roleOf({ name, target }: ToOne, { roles }: App): string | undefined {
  return target === 'User' ? roles.find((role) => role === name) : undefined;
}

function turnOf({ name }: ToOne): string {
  return `next${capitalized(name)}`;
}

/** What no two rows point to comes to an end; then they point to nothing. */
function choicesOf({ target, optional }: ToOne, app: App): string {
  const ids = idsOf(target, app);
  return optional ? `[...${ids}, null]` : ids;
}

/** `postIds`, or of users with a role `editorIds`. */
function idsOf(type: string, app: Pick<App, 'models'>, role?: string): string {
  return `${role ?? modelOf(type, app)?.names.variable ?? ''}Ids`;
}

/** Many-to-many relations, each on the later one of its sides: the other model, and what links the rows. */
function jointsOf(model: Model, order: readonly Model[]) {
  const place = (type: string) => order.findIndex(({ names }) => names.type === type);
  return order.flatMap((owner) =>
    sentLinks(owner).flatMap(({ table, column, targetColumn, target }) => {
      const source = owner.names.type;
      const isSource = place(source) >= place(target);
      const [here, other] = isSource ? [source, target] : [target, source];
      if (here !== model.names.type) return [];
      const ids = other === here ? 'newIds' : idsOf(other, { models: order });
      const pair = isSource ? '(left, right) =>' : '(right, left) =>';
      const args = [tsString(table), 'newIds', ids, pair];
      const members = [`${column}: left,`, `${targetColumn}: right,`];
      return [{ other, lines: linesAround('await link(', args, members, []) }];
    }),
  );
}

const keysOf = ({ relations }: Model) =>
  relations.filter((relation): relation is ToOne => relation.kind === 'one');

/** What is looked up before the rows of a model are drawn. */
function constantsOf(
  model: Model,
  joints: readonly { readonly other: string }[],
  app: App,
): readonly Named[] {
  const keys = keysOf(model).filter(({ target }) => target !== model.names.type);
  const isOneToOne = ({ key: name }: ToOne) =>
    model.fields.some((field) => field.name === name && isUnique(field, model));
  const ofAll = keys.filter(
    (relation) => isOneToOne(relation) || roleOf(relation, app) === undefined,
  );
  const whole = new Set([
    ...ofAll.map(({ target }) => target),
    ...joints.map(({ other }) => other),
  ]);
  const roles = new Set(
    keys.filter((relation) => !isOneToOne(relation)).map((relation) => roleOf(relation, app)),
  );
  return app.models.flatMap(({ names: { type }, table }): readonly Named[] => [
    ...(whole.has(type) && type !== model.names.type
      ? [{ name: idsOf(type, app), text: tsCall('await ids', tsString(table)) }]
      : []),
    ...app.roles
      .filter((role) => type === 'User' && roles.has(role))
      .map((role) => ({
        name: idsOf(type, app, role),
        text: tsCall('await ids', tsString(table), tsString(role)),
      })),
    ...keys
      .filter((relation) => relation.target === type && isOneToOne(relation))
      .map((relation) => ({
        name: turnOf(relation),
        text: tsCall('draw.inTurn', choicesOf(relation, app)),
      })),
  ]);
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
    const next = ready.find((model) => isReady(model, referred)) ?? ready[0];
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

function referred({ relations }: Model): readonly string[] {
  return relations.flatMap((relation) =>
    relation.kind === 'one' || isIdList(relation) ? [relation.target] : [],
  );
}
