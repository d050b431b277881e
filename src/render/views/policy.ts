import { admits, operations, rolesIn } from '../../model/access.ts';
import type { Entry, Model } from '../../model/app.ts';
import { code, tsCall, tsObject, tsString, tsValue } from '../typescript.ts';
import { ownerKey, ruledNames } from './field-type.ts';

/** What `lib/access` offers. */
const access = ['anyOf', 'definePolicy', 'everyone', 'owner', 'role', 'self', 'signedIn'];

/** What `src/<folder>/policy.ts` prints: the words of the schema as rules of `lib/access`. */
export function policyView(model: Model) {
  const rules = {
    ...Object.fromEntries(operations.map((name) => [name, ruleOf(model.access[name], model)])),
    ...fieldRules(model),
    ...(model.embed.length > 0 && { embed: tsValue(model.embed) }),
  };
  const words = new Set(Object.values(rules).flatMap(wordsOf));
  const called = access.filter((name) => name === 'definePolicy' || words.has(name));
  return {
    humanPlural: model.names.humanPlural,
    policy: `${model.names.variable}Policy`,
    table: model.table,
    imports: code(called.join(', ')),
    rules: Object.entries(rules).map(([name, rule]) => ({ name: code(name), rule: code(rule) })),
  };
}

function fieldRules(model: Model): Readonly<Record<string, string>> {
  const fields = ruledNames(model).map(({ name, read, write }) => [
    name,
    tsObject({ read: read && ruleOf(read, model), write: write && ruleOf(write, model) }),
  ]);
  return fields.length === 0 ? {} : { fields: tsObject(Object.fromEntries(fields)) };
}

/** Outside of strings: a role may be called like a rule. */
const wordsOf = (rule: string) => rule.replace(/'[^']*'|"[^"]*"/g, '').match(/\w+/g) ?? [];

function ruleOf(entries: readonly Entry[], model: Model): string {
  if (admits(entries, 'public')) return 'everyone';
  if (admits(entries, 'authenticated')) return 'signedIn';
  const roles = rolesIn(entries).filter((role) => role !== 'admin');
  const key = model.fields.find(({ name }) => name === ownerKey(model))?.column;
  const rules = [
    ...(admits(entries, 'owner') && key ? [tsCall('owner', tsString(key))] : []),
    ...(admits(entries, 'self') ? ['self'] : []),
    ...(roles.length > 0 ? [tsCall('role', ...roles.map(tsString))] : []),
  ];
  const [only = "role('admin')"] = rules;
  return rules.length > 1 ? tsCall('anyOf', ...rules) : only;
}
