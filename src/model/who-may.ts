import { endpointNames, wordOf } from './access.ts';
import type { Entry, Model } from './app.ts';

/** All that a model says of who may do what, in words: `create` → `authenticated`. */
export function whoMay(model: Model): ReadonlyMap<string, string> {
  const operations = endpointNames
    .filter((name) => model.endpoints.includes(name))
    .map((name): [string, string] => [name, told(model.access[name])]);
  const members = [...model.fields, ...model.relations.filter((it) => it.kind === 'links')];
  const rules = members
    .filter(({ name }) => name !== ownerKey(model))
    .flatMap((member) =>
      (['read', 'write'] as const).flatMap((key): [string, string][] => {
        const rule = member[key];
        const name = 'relation' in member ? (member.relation ?? member.name) : member.name;
        return rule === undefined ? [] : [[`${key} ${name}`, told(rule)]];
      }),
    );
  return new Map([
    ...operations,
    ...rules,
    ...listed('assign', model.assign),
    ...listed('embed', model.embed),
  ]);
}

const told = (rule: readonly Entry[]) => rule.map(wordOf).join(', ');

/** Of the owner, `assign` says who writes it. */
const ownerKey = ({ fields, owner, assign }: Model) =>
  assign && fields.find(({ relation }) => relation !== undefined && relation === owner)?.name;

const listed = (label: string, names: readonly string[] = []): [string, string][] =>
  names.length === 0 ? [] : [[label, names.join(', ')]];

/** What is given to the same people stands together: `list, read: public; create: authenticated`. */
export function tellWhoMay(model: Model): string {
  const labels = new Map<string, string[]>();
  for (const [label, words] of whoMay(model)) {
    labels.set(words, [...(labels.get(words) ?? []), label]);
  }
  const parts = [...labels].map(([words, names]) => `${names.join(', ')}: ${words}`);
  return parts.join('; ') || 'no endpoints';
}
