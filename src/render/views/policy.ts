import type { Endpoint, Model } from '../../model/app.ts';
import { code } from '../code.ts';
import { tsCall, tsString } from '../typescript.ts';
import { ownerKey } from './owner-key.ts';

const operations = ['list', 'read', 'create', 'update', 'delete'] as const;

/** What `lib/access` offers. */
const access = ['anyOf', 'definePolicy', 'everyone', 'owner', 'role', 'self', 'signedIn'];

/** What `src/<folder>/policy.ts` prints: the words of the schema as rules of `lib/access`. */
export function policyView(model: Model) {
  const rules = operations.map((operation) => ({ operation, rule: ruleOf(model, operation) }));
  const words = new Set(rules.flatMap(({ rule }) => wordsOf(rule)));
  const called = access.filter((name) => name === 'definePolicy' || words.has(name));
  return {
    humanPlural: model.names.humanPlural,
    policy: `${model.names.variable}Policy`,
    table: model.table,
    imports: code(called.join(', ')),
    rules: rules.map(({ operation, rule }) => ({ operation, rule: code(rule) })),
  };
}

/** Outside of strings: a role may be called like a rule. */
const wordsOf = (rule: string) => rule.replace(/'[^']*'|"[^"]*"/g, '').match(/\w+/g) ?? [];

function ruleOf(model: Model, operation: Endpoint): string {
  const words = model.access[operation];
  if (words.includes('public')) return 'everyone';
  if (words.includes('authenticated')) return 'signedIn';
  const named = new Set(['owner', 'self', 'admin']);
  const roles = words.filter((word) => !named.has(word));
  const key = model.fields.find(({ name }) => name === ownerKey(model))?.column;
  const rules = [
    ...(words.includes('owner') && key ? [tsCall('owner', tsString(key))] : []),
    ...(words.includes('self') ? ['self'] : []),
    ...(roles.length > 0 ? [tsCall('role', ...roles.map(tsString))] : []),
  ];
  const [only = "role('admin')"] = rules;
  return rules.length > 1 ? tsCall('anyOf', ...rules) : only;
}
