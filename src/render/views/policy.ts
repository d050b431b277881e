import { admits, operations, rolesIn } from '../../model/access.ts';
import type { Entry, Model } from '../../model/app.ts';
import { code, tsCall, tsObject, tsString, tsValue } from '../typescript.ts';
import { ownerKey, ruledNames } from './field-type.ts';

/** What `lib/access` offers, in the order of the import. */
const offered = ['anyOf', 'definePolicy', 'everyone', 'owner', 'role', 'self', 'signedIn'] as const;

/** A rule as it is printed, and what it takes from `lib/access`. */
interface Rule {
  readonly text: string;
  readonly uses: readonly (typeof offered)[number][];
}

/** What `src/<folder>/policy.ts` prints: the words of the schema as rules of `lib/access`. */
export function policyView(model: Model) {
  const rules = operations.map((name) => ({ name, ...ruleOf(model.access[name], model) }));
  const ruled = ruledNames(model).map(({ name, read, write }) => ({
    name,
    read: read && ruleOf(read, model),
    write: write && ruleOf(write, model),
  }));
  const fields = ruled.map(({ name, read, write }) => [
    name,
    tsObject({ read: read?.text, write: write?.text }),
  ]);
  const used = new Set([
    'definePolicy',
    ...[...rules, ...ruled.flatMap(({ read, write }) => [read, write])].flatMap(
      (rule) => rule?.uses ?? [],
    ),
  ]);
  const printed = [
    ...rules,
    ...(fields.length > 0 ? [{ name: 'fields', text: tsObject(Object.fromEntries(fields)) }] : []),
    ...(model.embed.length > 0 ? [{ name: 'embed', text: tsValue(model.embed) }] : []),
  ];
  return {
    humanPlural: model.names.humanPlural,
    policy: `${model.names.variable}Policy`,
    table: model.table,
    imports: code(offered.filter((name) => used.has(name)).join(', ')),
    rules: printed.map(({ name, text }) => ({ name: code(name), rule: code(text) })),
  };
}

function ruleOf(entries: readonly Entry[], model: Model): Rule {
  if (admits(entries, 'public')) return { text: 'everyone', uses: ['everyone'] };
  if (admits(entries, 'authenticated')) return { text: 'signedIn', uses: ['signedIn'] };
  const named = rolesIn(entries).filter((role) => role !== 'admin');
  const key = model.fields.find(({ name }) => name === ownerKey(model))?.column;
  const owned = admits(entries, 'owner') && key ? [tsCall('owner', tsString(key))] : [];
  const own = admits(entries, 'self') ? ['self'] : [];
  const isForAdmins = owned.length + own.length + named.length === 0;
  const roles = isForAdmins ? ['admin'] : named;
  const rules = [
    ...owned,
    ...own,
    ...(roles.length > 0 ? [tsCall('role', ...roles.map(tsString))] : []),
  ];
  return {
    text: rules.length > 1 ? tsCall('anyOf', ...rules) : rules.join(''),
    uses: [
      ...(rules.length > 1 ? (['anyOf'] as const) : []),
      ...(owned.length > 0 ? (['owner'] as const) : []),
      ...(own.length > 0 ? (['self'] as const) : []),
      ...(roles.length > 0 ? (['role'] as const) : []),
    ],
  };
}
