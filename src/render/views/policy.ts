import { InternalError } from '../../errors.ts';
import { isSaid } from '../../model/access.ts';
import { type App, type Entry, type Field, type Model, modelOf, toOneOf } from '../../model/app.ts';
import { capitalized } from '../../naming/name.ts';
import type { Comparison, Operand } from '../../schema/entry.ts';
import { type Operation, operations, operationVia } from '../../schema/schema.ts';
import { canonicalValue, fieldTypes } from '../../types/all.ts';
import { code, linesOf, tsCall, tsObject, tsString, tsValue } from '../typescript.ts';
import { ownerKey, ruledNames } from './field-type.ts';
import { givenBy, membersCall, modelOfMembers } from './members.ts';

/** What `src/<folder>/policy.ts` prints: the words of the schema as rules of `lib`. */
export function policyView(model: Model, app: App) {
  const imports = importList();
  const targets = new Map<string, string>();
  const scope = { model, app, use: imports.use, targets };
  const isPrinted = (name: Operation) =>
    !['restore', 'refer'].includes(name) || isSaid(model, name);
  const { all, own } = sharedOnly(model);
  const rules = operations.filter(isPrinted).map((name): [string, string] => {
    const printed = name === 'update' ? updateOf(own(name), scope) : undefined;
    return [name, printed ?? ruleOf(own(name), name, scope)];
  });
  const only = all.map((entry) => entryRule(entry, 'read', scope));
  const members = (model.members ?? []).map((kind) => {
    const by = { ...scope, model: modelOfMembers(kind, app) };
    const where = kind.if && joined('allOf', comparisons(kind.if, by), by);
    return { word: code(kind.word), kind: code(membersCall(kind, app, where, imports.use)) };
  });
  const gives = givenBy(model, app).map(({ of, kind }) => {
    const name = of === model ? kind.word : of.names.variable + capitalized(kind.word);
    if (of !== model) imports.use(`../${of.names.folder}/policy.ts`, `${kind.word} as ${name}`);
    return `() => ${name}`;
  });
  const fields = ruledNames(model).map(({ name, read, write }) => [
    name,
    tsObject({
      read: read && ruleOf(read, 'read', scope),
      write: write && ruleOf(write, 'update', scope),
    }),
  ]);
  const printed = [
    ...(only.length > 0 ? [['only', joined('allOf', only, scope)]] : []),
    ...rules,
    ...(fields.length > 0 ? [['fields', tsObject(Object.fromEntries(fields))]] : []),
    ...(model.embed.length > 0 ? [['embed', tsValue(model.embed)]] : []),
    ...(gives.length > 0 ? [['gives', `[${gives.join(', ')}]`]] : []),
  ];
  imports.use('../lib/access.ts', 'definePolicy');
  return {
    humanPlural: model.names.humanPlural,
    policy: `${model.names.variable}Policy`,
    table: model.table,
    imports: linesOf(...imports.lines()),
    hasTargets: targets.size > 0,
    members,
    targets: [...targets].toSorted().map(([name, to]) => ({ name: code(name), to: code(to) })),
    rules: printed.map(([name = '', text = '']) => ({ name: code(name), rule: code(text) })),
  };
}

/** Notes what a file imports, as its text is made. */
function importList() {
  const used = new Map<string, Set<string>>();
  return {
    use(module: string, name: string): string {
      used.set(module, (used.get(module) ?? new Set()).add(name));
      return name;
    },
    lines: (): readonly string[] =>
      [...used].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(importLine),
  };
}

function importLine([module, names]: [string, ReadonlySet<string>]): string {
  const list = [...names].toSorted().join(', ');
  const isType = list === 'Resource';
  return `import ${isType ? 'type ' : ''}{ ${list} } from '${module}';`;
}

interface Scope {
  readonly model: Model;
  readonly app: App;
  readonly use: (module: string, name: string) => string;
  /** Resources that rules lead to, by the names that the file gives them. */
  readonly targets: Map<string, string>;
}

const access = ({ use }: Scope, name: string) => use('../lib/access.ts', name);
const condition = ({ use }: Scope, name: string) => use('../lib/conditions.ts', name);

const spelled = (entry: Entry) => JSON.stringify(entry);

/** The `only` that holds of every operation is printed once. */
function sharedOnly(model: Model) {
  const [first, ...others] = operations.map((name) => model.access[name]);
  const all = (first ?? []).filter(
    (entry) =>
      entry.only && others.every((rule) => rule.some((each) => spelled(each) === spelled(entry))),
  );
  const shared = new Set(all.map(spelled));
  const own = (name: Operation) =>
    model.access[name].filter((entry) => !shared.has(spelled(entry)));
  return { all, own };
}

/** A rule as it is printed. */
function ruleOf(entries: readonly Entry[], operation: Operation, scope: Scope): string {
  const only = entries.filter((entry) => entry.only);
  const any = anyRule(
    entries.filter((entry) => !entry.only),
    operation,
    scope,
  );
  const narrowed = only.map((entry) => entryRule(entry, operation, scope));
  return joined('allOf', [...narrowed, any], scope);
}

/** The ways to change a row, where what it holds before or after matters apart. */
function updateOf(entries: readonly Entry[], scope: Scope): string | undefined {
  const ways = entries.filter((entry) => !entry.only);
  if (ways.every((entry) => entry.if === undefined && entry.after === undefined)) return undefined;
  const only = entries.filter((entry) => entry.only);
  const narrowed = only.map((entry) => entryRule(entry, 'update', scope));
  const printed = merged(ways).map((entry) => {
    const { if: before, after, ...plain } = entry;
    const who = joined('allOf', [...narrowed, entryRule(plain, 'update', scope)], scope);
    if (before === undefined && after === undefined) return who;
    const rule = (all: typeof before) => all && joined('allOf', comparisons(all, scope), scope);
    const parts = [
      ['who', who],
      ['if', rule(before)],
      ['then', rule(after)],
    ] as const;
    return tsObject(Object.fromEntries(parts));
  });
  return `[${printed.join(', ')}]`;
}

function anyRule(entries: readonly Entry[], operation: Operation, scope: Scope): string {
  const isOpen = (kind: Entry['kind']) =>
    entries.some((entry) => entry.kind === kind && entry.if === undefined);
  if (isOpen('public')) return access(scope, 'everyone');
  const others = entries.filter((entry) => entry.kind === 'public');
  const shown = isOpen('authenticated')
    ? [{ kind: 'authenticated' } as const, ...others]
    : merged(entries);
  const rules = shown.map((entry) => entryRule(entry, operation, scope));
  return joined('anyOf', rules, scope);
}

/** A role after the rows of one's own, all roles in one call; that of admins goes without saying beside others. */
function merged(entries: readonly Entry[]): readonly (Entry | RolesEntry)[] {
  const roles = entries.flatMap((entry) =>
    entry.kind === 'role' && isPlain(entry) && entry.role !== 'admin' ? [entry.role] : [],
  );
  const others = entries.filter((entry) => !isPlainRole(entry));
  if (roles.length > 0) return [...others, { kind: 'roles', roles }];
  return others.length > 0 ? others : [{ kind: 'role', role: 'admin' }];
}

const isPlainRole = (entry: Entry) => entry.kind === 'role' && isPlain(entry);
const isPlain = (entry: Entry) => entry.if === undefined && entry.after === undefined;

interface RolesEntry {
  readonly kind: 'roles';
  readonly roles: readonly string[];
  readonly if?: never;
  readonly after?: never;
}

/** `allOf(owner('author_id'), when('status', '=', 'draft'))` */
function entryRule(entry: Entry | RolesEntry, operation: Operation, scope: Scope): string {
  const conditions = entry.if === undefined ? [] : comparisons(entry.if, scope);
  const isForAll = entry.kind === 'public' && conditions.length > 0;
  const who = isForAll ? [] : [whoRule(entry, operation, scope)];
  return joined('allOf', [...who, ...conditions], scope);
}

function whoRule(entry: Entry | RolesEntry, operation: Operation, scope: Scope): string {
  const { model, app, use, targets } = scope;
  switch (entry.kind) {
    case 'public':
      return access(scope, 'everyone');
    case 'authenticated':
      return access(scope, 'signedIn');
    case 'self':
      return access(scope, 'self');
    case 'owner':
      return owned(ownerKey(model), scope);
    case 'is':
      return owned(toOneOf(model, entry.relation)?.key, scope);
    case 'role':
      return tsCall(access(scope, 'role'), tsString(entry.role));
    case 'members':
      return tsCall(entry.word, ...entry.roles.map(tsString));
    case 'roles':
      return tsCall(access(scope, 'role'), ...entry.roles.map(tsString));
    case 'via': {
      const { column, there } = crossed(model, entry.relation, app);
      const { folder, type, variablePlural } = there.names;
      use(there === model ? './schema.ts' : `../${folder}/schema.ts`, variablePlural);
      targets.set(`to${type}`, `(): ${use('../lib/resource.ts', 'Resource')} => ${variablePlural}`);
      const wanted = entry.operation ?? operationVia(operation);
      return tsCall(use('../lib/via.ts', 'via'), tsString(column), `to${type}`, tsString(wanted));
    }
  }
}

function owned(key: string | undefined, scope: Scope): string {
  const field = scope.model.fields.find(({ name }) => name === key);
  if (field === undefined) throw new InternalError(`${scope.model.names.type} has no such key.`);
  return tsCall(access(scope, 'owner'), tsString(field.column));
}

function joined(word: 'allOf' | 'anyOf', rules: readonly string[], scope: Scope): string {
  return rules.length === 1 ? rules.join('') : tsCall(access(scope, word), ...rules);
}

const comparisons = (all: readonly Comparison[], scope: Scope): readonly string[] =>
  all.map((each) => comparisonRule(each, scope.model, scope));

/** Of rows of a model, over its relations. */
function comparisonRule(comparison: Comparison, model: Model, scope: Scope): string {
  const { path, operator, values } = comparison;
  const [first = '', ...others] = path;
  if (others.length === 0) {
    const field = comparedField(model, first);
    const column = tsString(field.column);
    const when = condition(scope, 'when');
    if (operator === 'is null') return tsCall(when, column, "'is'", 'null');
    if (operator === 'is not null') return tsCall(when, column, "'is not'", 'null');
    const all = values.map((value) => operandOf(value, field, scope));
    const right = operator === 'in' ? `[${all.join(', ')}]` : all.join('');
    return tsCall(when, column, tsString(operator), right);
  }
  const { column, there, relation } = crossed(model, first, scope.app);
  const rest = comparisonRule({ path: others, operator, values }, there, scope);
  const over = tsCall(condition(scope, 'over'), tsString(column), tsString(there.table), rest);
  if (operator !== 'is null' || !relation.optional) return over;
  // Of a row that is not there, everything is null.
  const isAbsent = tsCall(condition(scope, 'when'), tsString(column), "'is'", 'null');
  return joined('anyOf', [isAbsent, over], scope);
}

function operandOf(operand: Operand, field: Field, scope: Scope): string {
  switch (operand.kind) {
    case 'now':
      return scope.use('../database/slot.ts', 'now');
    case 'me':
      return ofViewer(operand.path, scope);
    case 'literal': {
      const { read } = fieldTypes[field.type.kind];
      const isNumber = field.type.kind === 'id';
      const value = isNumber ? Number(operand.text) : (read?.(operand.text) ?? operand.text);
      return tsValue(canonicalValue(field.type, value));
    }
  }
}

/** `me('team_id')`, `mine(me('team_id'), 'teams', 'plan')` */
function ofViewer(path: readonly string[], scope: Scope): string {
  const user = scope.app.models[0];
  if (user === undefined) throw new InternalError('There is no User.');
  let [at, text]: [Model, string] = [user, ''];
  for (const [index, name] of path.entries()) {
    const isLast = index === path.length - 1;
    const step = isLast ? undefined : crossed(at, name, scope.app);
    const column = tsString(step?.column ?? comparedField(at, name).column);
    const mine = () => tsCall(condition(scope, 'mine'), text, tsString(at.table), column);
    text = text === '' ? tsCall(condition(scope, 'me'), column) : mine();
    at = step?.there ?? at;
  }
  return text;
}

/** A field, or the key of a relation. */
function comparedField(model: Model, name: string): Field {
  const key = toOneOf(model, name)?.key ?? name;
  const field = model.fields.find((each) => each.name === key);
  if (field === undefined) throw new InternalError(`${model.names.type} has no field ${name}.`);
  return field;
}

function crossed(model: Model, name: string, app: App) {
  const relation = toOneOf(model, name);
  const there = relation && modelOf(relation.target, app);
  if (!relation || !there) throw new InternalError(`${model.names.type} has no relation ${name}.`);
  return { relation, there, column: comparedField(model, name).column };
}
