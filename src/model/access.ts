import {
  accessWords,
  byEndpoint,
  endpointNames,
  type ModelSchema,
  type RuleSchema,
} from '../schema/schema.ts';
import { type Access, type Entry, entryOf, type Model } from './app.ts';

/** Who may do what: the file's words, and for the rest the defaults of the schema language. */
export function buildAccess(model: ModelSchema): Access {
  return byEndpoint((name) => accessWords(model, name).map(entryOf));
}

/** What of a user is shown to whoever sees a row that leads to them, unless the file says. */
export function buildEmbed(model: ModelSchema): readonly string[] {
  const written = model.embed?.map(({ value }) => value);
  return written ?? (model.name.value === 'User' ? ['name'] : []);
}

export function entries(written: RuleSchema | undefined): readonly Entry[] | undefined {
  return written?.map(({ value }) => entryOf(value));
}

/** As the schema file says it. */
export function wordOf(entry: Entry): string {
  return entry.kind === 'role' ? entry.role : entry.kind;
}

export function admits(rule: readonly Entry[], kind: Exclude<Entry['kind'], 'role'>): boolean {
  return rule.some((entry) => entry.kind === kind);
}

export function rolesIn(rule: readonly Entry[]): readonly string[] {
  return rule.flatMap((entry) => (entry.kind === 'role' ? [entry.role] : []));
}

/** All that a model says of who may do what, in words: `create` → `authenticated`. */
export function whoMay(model: Model): ReadonlyMap<string, string> {
  const ofEndpoints = endpointNames
    .filter((name) => model.endpoints.includes(name))
    .map((name): [string, string] => [name, listOf(model.access[name])]);
  const members = [...model.fields, ...model.relations.filter((it) => it.kind === 'links')];
  const rules = members
    .filter(({ name }) => name !== ownerKey(model))
    .flatMap((member) =>
      (['read', 'write'] as const).flatMap((key): [string, string][] => {
        const rule = member[key];
        const name = 'relation' in member ? (member.relation ?? member.name) : member.name;
        return rule === undefined ? [] : [[`${key} ${name}`, listOf(rule)]];
      }),
    );
  return new Map([
    ...ofEndpoints,
    ...rules,
    ...listed('assign', model.assign),
    ...listed('embed', model.embed),
  ]);
}

const listOf = (rule: readonly Entry[]) => rule.map(wordOf).join(', ');

/** Of the owner, `assign` says who writes it. */
const ownerKey = ({ fields, owner, assign }: Model) =>
  assign && fields.find(({ relation }) => relation !== undefined && relation === owner)?.name;

const listed = (label: string, names: readonly string[] = []): [string, string][] =>
  names.length === 0 ? [] : [[label, names.join(', ')]];

/** What is given to the same people stands together: `list, read: public; create: authenticated`. */
export function describeAccess(model: Model): string {
  const labels = new Map<string, string[]>();
  for (const [label, words] of whoMay(model)) {
    labels.set(words, [...(labels.get(words) ?? []), label]);
  }
  const parts = [...labels].map(([words, names]) => `${names.join(', ')}: ${words}`);
  return parts.join('; ') || 'no endpoints';
}
