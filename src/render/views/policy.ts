import { admitsStrangers, isSaid } from '../../model/access.ts';
import {
  type App,
  type Entry,
  follow,
  getField,
  getModel,
  type Model,
  toOneOf,
} from '../../model/app.ts';
import { type Operation, operations, operationVia } from '../../schema/language.ts';
import { code, linesOf, tsCall, tsObject, tsString, tsValue } from '../typescript.ts';
import { agreementRule, memberOf } from './agreement.ts';
import { access, comparisons, joined, type Scope } from './condition.ts';
import { ownerKey, ruledNames } from './field-type.ts';
import { givenBy, linkOf, membersCall, modelOfMembers } from './members.ts';

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
    return `() => ${memberOf(of, kind.word, scope)}`;
  });
  const agreement = agreementRule(scope);
  const link = model.link && linkView(model, scope);
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
    ...(agreement === undefined ? [] : [['agreement', agreement]]),
  ];
  imports.use('../lib/access.ts', 'definePolicy');
  return {
    humanPlural: model.names.humanPlural,
    policy: `${model.names.variable}Policy`,
    table: model.table,
    imports: linesOf(...imports.lines()),
    hasTargets: targets.size > 0,
    members,
    link,
    targets: [...targets]
      .toSorted(leadersFirst)
      .map(([name, to]) => ({ name: code(name), to: code(to) })),
    rules: printed.map(([name = '', text = '']) => ({ name: code(name), rule: code(text) })),
  };
}

/** What others are called with comes before them. */
const leadersFirst = ([one]: [string, string], [other]: [string, string]) => {
  const [left, right] = [one, other].map((name) => (name.startsWith('to') ? `0${name}` : name));
  return (left ?? '') < (right ?? '') ? -1 : 1;
};

/** Whoever comes by the link of a row, if it counts. */
function linkView(model: Model, scope: Scope) {
  const counted = comparisons(model.link?.if ?? [], scope);
  const column = tsString(getField(model, model.link?.secret ?? '').column);
  const link = tsCall(scope.use('../lib/link.ts', 'link'), column);
  const rule = joined('allOf', [link, ...counted], scope);
  scope.use('../lib/access.ts', 'type Rule');
  return { name: code(linkOf(model)), rule: code(rule) };
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

const spelled = (entry: Entry) => JSON.stringify(entry);

/** The `only` that holds of every operation is printed once. */
export function sharedOnly(model: Model) {
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

/** The ways to change a row, where what it holds before or after matters apart: whom one admits, it has to admit again. */
function updateOf(entries: readonly Entry[], scope: Scope): string | undefined {
  const ways = entries.filter((entry) => !entry.only);
  const ofRows = ways.filter(({ kind }) => !['public', 'authenticated', 'role'].includes(kind));
  if (ways.every(isPlain) && ofRows.length < 2) return undefined;
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
  const { model, app } = scope;
  const strangers = entries.filter((entry) => admitsStrangers(entry, model, app, operation));
  const shown = isOpen('authenticated')
    ? [{ kind: 'authenticated' } as const, ...strangers]
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
  const { model, app, use } = scope;
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
    case 'link':
      return linkOf(model);
    case 'shares': {
      const there = getModel(entry.model, app);
      const named = (there.members ?? []).filter(({ user }) => user !== undefined);
      const kinds = named.map(({ word }) => `() => ${memberOf(there, word, scope)}`);
      const shares = tsCall(use('../lib/shares.ts', 'shares'), leadTo(there, scope), ...kinds);
      scope.targets.set(`shares${there.names.type}`, shares);
      return `shares${there.names.type}`;
    }
    case 'roles':
      return tsCall(access(scope, 'role'), ...entry.roles.map(tsString));
    case 'via': {
      const { key, there } = follow(model, entry.relation, app);
      const wanted = tsString(entry.operation ?? operationVia(operation));
      return tsCall(
        use('../lib/via.ts', 'via'),
        tsString(key.column),
        leadTo(there, scope),
        wanted,
      );
    }
  }
}

/** The function that leads to the resource of a model: two of them may refer to each other. */
function leadTo({ names }: Model, { model, use, targets }: Scope): string {
  const { folder, type, variablePlural } = names;
  use(model.names === names ? './schema.ts' : `../${folder}/schema.ts`, variablePlural);
  targets.set(`to${type}`, `(): ${use('../lib/resource.ts', 'Resource')} => ${variablePlural}`);
  return `to${type}`;
}

const owned = (key: string | undefined, scope: Scope) =>
  tsCall(access(scope, 'owner'), tsString(getField(scope.model, key ?? '').column));
