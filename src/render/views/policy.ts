import { isSpelledOut } from '../../model/describe-access.ts';
import type { App, Model } from '../../model/app.ts';
import { getField, getModel } from '../../model/lookups.ts';
import { type Operation, operations } from '../../schema/language.ts';
import { present } from '../../present.ts';
import { code, tsCall, tsObject, tsString, tsValue } from '../typescript.ts';
import { agreementRule, useMember } from './agreement.ts';
import { printComparisons, joinRules, resourceFunction, type RuleScope } from './condition.ts';
import { fieldsWithRules } from './field-type.ts';
import { membershipsBy, linkName, membersCall, membersDeletedWith } from './members.ts';
import { printRule, printUpdateRule, entryRule } from './rule.ts';
import type { Entry } from '../../schema/entry.ts';

/** The view of `src/<folder>/policy.ts`: the rules of the schema, as calls of `lib`. */
export function policyView(model: Model, app: App) {
  const imports = importList();
  const [resourceFunctions, shares] = [new Map<string, string>(), new Map<string, string>()];
  const scope = { home: model, model, app, use: imports.use, resourceFunctions, shares };
  const rules = Object.entries(printPolicyRules(scope));
  const members = (model.members ?? []).map((kind) => {
    const by = { ...scope, model: getModel(kind.by, app) };
    const where = kind.if && joinRules('allOf', printComparisons(kind.if, by), by);
    return { word: code(kind.word), kind: code(membersCall(kind, where, scope)) };
  });
  const link = model.link && policyLink(model, scope);
  imports.use('../lib/access.ts', 'definePolicy');
  return {
    humanPlural: model.names.humanPlural,
    policy: `${model.names.variable}Policy`,
    table: model.table,
    imports: code(imports.lines().join('\n')),
    members,
    link,
    constants: code([...listConstants(resourceFunctions), ...listConstants(shares)].join('\n')),
    rules: rules.map(([name, rule]) => ({ name, rule: code(rule) })),
  };
}

function printPolicyRules(scope: RuleScope) {
  const { model, app } = scope;
  const { all, own } = sharedRestrictions(model);
  const isPrinted = (name: Operation) =>
    (name !== 'restore' && name !== 'refer') || isSpelledOut(model, name);
  const rules = operations.filter(isPrinted).map((name): [string, string] => {
    const printed = name === 'update' ? printUpdateRule(own(name), scope) : undefined;
    return [name, printed ?? printRule(own(name), name, scope)];
  });
  const only = all.map((entry) => entryRule(entry, 'read', scope));
  const fields = fieldsWithRules(model).map(({ name, read, write }) => [
    name,
    tsObject({
      read: read && printRule(read, 'read', scope),
      write: write && printRule(write, 'update', scope),
    }),
  ]);
  const printKind = ({ of, kind }: ReturnType<typeof membershipsBy>[number]) =>
    `() => ${useMember(of, kind.word, scope)}`;
  const takes = membersDeletedWith(model, app).map(({ over, isTenantDeleted, ...found }) =>
    tsObject({
      kind: printKind(found),
      over: tsValue(over),
      tenant: isTenantDeleted ? resourceFunction(found.of, scope) : undefined,
    }),
  );
  return present({
    only: only.length > 0 ? joinRules('allOf', only, scope) : undefined,
    ...Object.fromEntries(rules),
    fields: fields.length > 0 ? tsObject(Object.fromEntries(fields)) : undefined,
    embed: printRuleList(model.embed.map(tsString)),
    gives: printRuleList(membershipsBy(model, app).map(printKind)),
    takes: printRuleList(takes),
    agreement: agreementRule(scope),
  });
}

const printRuleList = (all: readonly string[]) =>
  all.length > 0 ? `[${all.join(', ')}]` : undefined;

const listConstants = (printed: ReadonlyMap<string, string>) =>
  [...printed].toSorted(compareNames).map(([name, value]) => `const ${name} = ${value};`);

const compareNames = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) =>
  one < other ? -1 : 1;

/** The view of `link` entries: whoever has the link of a row, if its condition holds. */
function policyLink(model: Model, scope: RuleScope) {
  const counted = printComparisons(model.link?.if ?? [], scope);
  const column = tsString(getField(model, model.link?.secret ?? '').column);
  const link = tsCall(scope.use('../lib/link.ts', 'link'), column);
  const rule = joinRules('allOf', [link, ...counted], scope);
  scope.use('../lib/access.ts', 'type Rule');
  return { name: code(linkName(model)), rule: code(rule) };
}

/** Collects the imports of a file while its text is printed. */
function importList() {
  const used = new Map<string, Set<string>>();
  return {
    use(module: string, name: string): string {
      used.set(module, (used.get(module) ?? new Set()).add(name));
      return name;
    },
    lines: () => [...used].toSorted(compareNames).map(importLine),
  };
}

function importLine([module, names]: [string, ReadonlySet<string>]): string {
  const keyword = typeModules.has(module) ? 'import type' : 'import';
  return `${keyword} { ${[...names].toSorted().join(', ')} } from ${tsString(module)};`;
}

/** Modules of which policies import only types. */
const typeModules = new Set(['../lib/resource.ts']);

const printEntryKey = (entry: Entry) => JSON.stringify(entry);

/** Entries with `only` that hold for every operation are printed once. */
export function sharedRestrictions(model: Model) {
  const [first, ...others] = operations.map((name) => model.access[name]);
  const all = (first ?? []).filter(
    (entry) =>
      entry.only &&
      others.every((rule) => rule.some((each) => printEntryKey(each) === printEntryKey(entry))),
  );
  const shared = new Set(all.map(printEntryKey));
  const own = (name: Operation) =>
    model.access[name].filter((entry) => !shared.has(printEntryKey(entry)));
  return { all, own };
}
