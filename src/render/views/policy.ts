import { isSpelledOut } from '../../model/describe-access.ts';
import type { App, Model } from '../../model/app.ts';
import { hasAccounts } from '../../model/app-features.ts';
import { getField } from '../../model/lookups.ts';
import { type Operation, operations } from '../../schema/language.ts';
import { present } from '../../present.ts';
import { code, linesOf, tsCall, tsObject, tsString, tsValue } from '../typescript.ts';
import { agreementRule, memberOf } from './agreement.ts';
import { printComparisons, joined, leadTo, type RuleScope } from './condition.ts';
import { ruledNames } from './field-type.ts';
import { givenBy, linkOf, membersCall, modelOfMembers, takenMembers } from './members.ts';
import { ruleOf, updateOf, entryRule } from './rule.ts';
import type { Entry } from '../../schema/entry.ts';

/** What `src/<folder>/policy.ts` prints: the words of the schema as rules of `lib`. */
export function policyView(model: Model, app: App) {
  const imports = importList();
  const [leaders, shares] = [new Map<string, string>(), new Map<string, string>()];
  const scope = { home: model, model, app, use: imports.use, leaders, shares };
  const rules = Object.entries(rulesIn(scope));
  const members = (model.members ?? []).map((kind) => {
    const by = { ...scope, model: modelOfMembers(kind, app) };
    const where = kind.if && joined('allOf', printComparisons(kind.if, by), by);
    return { word: code(kind.word), kind: code(membersCall(kind, where, scope)) };
  });
  const link = model.link && linkView(model, scope);
  imports.use('../lib/access.ts', 'definePolicy');
  return {
    humanPlural: model.names.humanPlural,
    policy: `${model.names.variable}Policy`,
    table: model.table,
    admins: code(hasAccounts(app) ? ' Admins may do everything.' : ''),
    imports: linesOf(...imports.lines()),
    members,
    link,
    constants: linesOf(...constantsIn(leaders), ...constantsIn(shares)),
    rules: code(rules.map(([name, rule]) => `${name}: ${rule},`).join('\n  ')),
  };
}

/** The properties of the policy, printed. */
function rulesIn(scope: RuleScope) {
  const { model, app } = scope;
  const { all, own } = sharedOnly(model);
  const isPrinted = (name: Operation) =>
    (name !== 'restore' && name !== 'refer') || isSpelledOut(model, name);
  const rules = operations.filter(isPrinted).map((name): [string, string] => {
    const printed = name === 'update' ? updateOf(own(name), scope) : undefined;
    return [name, printed ?? ruleOf(own(name), name, scope)];
  });
  const only = all.map((entry) => entryRule(entry, 'read', scope));
  const fields = ruledNames(model).map(({ name, read, write }) => [
    name,
    tsObject({
      read: read && ruleOf(read, 'read', scope),
      write: write && ruleOf(write, 'update', scope),
    }),
  ]);
  const kindOf = ({ of, kind }: ReturnType<typeof givenBy>[number]) =>
    `() => ${memberOf(of, kind.word, scope)}`;
  const takes = takenMembers(model, app).map(({ over, goes, ...found }) =>
    tsObject({
      kind: kindOf(found),
      over: tsValue(over),
      tenant: goes ? leadTo(found.of, scope) : undefined,
    }),
  );
  return present({
    only: only.length > 0 ? joined('allOf', only, scope) : undefined,
    ...Object.fromEntries(rules),
    fields: fields.length > 0 ? tsObject(Object.fromEntries(fields)) : undefined,
    embed: listOf(model.embed.map(tsString)),
    gives: listOf(givenBy(model, app).map(kindOf)),
    takes: listOf(takes),
    agreement: agreementRule(scope),
  });
}

const listOf = (all: readonly string[]) => (all.length > 0 ? `[${all.join(', ')}]` : undefined);

const constantsIn = (printed: ReadonlyMap<string, string>) =>
  [...printed].toSorted(byName).map(([name, value]) => `const ${name} = ${value};`);

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) =>
  one < other ? -1 : 1;

/** Whoever comes by the link of a row, if it counts. */
function linkView(model: Model, scope: RuleScope) {
  const counted = printComparisons(model.link?.if ?? [], scope);
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
    lines: (): readonly string[] => [...used].toSorted(byName).map(importLine),
  };
}

function importLine([module, names]: [string, ReadonlySet<string>]): string {
  const list = [...names].toSorted().join(', ');
  return `import ${typeModules.has(module) ? 'type ' : ''}{ ${list} } from '${module}';`;
}

/** Of these, policies import types only. */
const typeModules = new Set(['../lib/resource.ts']);

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
