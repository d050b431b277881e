import { type Operation, operations } from '../schema/language.ts';
import { spell, spellEntry, spellRule } from '../schema/spell-entry.ts';
import type { Members, Model, Relation } from './app.ts';
import { isRestored } from './access.ts';
import { isAssigned } from './writing.ts';
import type { Entry } from '../schema/entry.ts';

/** A rule of a model, or of one of its fields. */
export interface AccessRule {
  readonly entries: readonly Entry[];
  /** The operation on the row that it narrows down. */
  readonly operation: Operation;
  /** The name of its field or relation, if it is a rule of one. */
  readonly member?: string;
}

/** The rules of a model by their labels: `create`, `write title`. */
export function accessRules(model: Model): ReadonlyMap<string, AccessRule> {
  const ofRows = operations
    .filter((name) => isSpelledOut(model, name))
    .map((operation): [string, AccessRule] => {
      return [operation, { entries: model.access[operation], operation }];
    });
  const members = [...model.fields, ...model.relations.filter((it) => it.kind === 'links')];
  // `assign` covers who writes the owner's key, which needs no line of its own.
  const ofFields = members
    .filter((member) => !isAssigned(member, model))
    .flatMap((member) =>
      (['read', 'write'] as const).flatMap((key): [string, AccessRule][] => {
        const entries = member[key];
        const name = 'relation' in member ? (member.relation ?? member.name) : member.name;
        const operation = key === 'read' ? 'read' : 'update';
        return entries ? [[`${key} ${name}`, { entries, operation, member: name }]] : [];
      }),
    );
  return new Map([...ofRows, ...ofFields]);
}

/** Everything about access in words, by the same labels: `create` → `authenticated`. */
export function whoMay(model: Model): ReadonlyMap<string, string> {
  return new Map([
    ...[...accessRules(model)].map(([label, { entries }]) => [label, spellRule(entries)] as const),
    ...labelled('assign', model.assign),
    ...labelled('embed', model.embed),
    ...(model.members ?? []).map((kind): [string, string] => [kind.word, describeMembers(kind)]),
    ...labelled('link', model.link ? [joined(model.link.secret, spell('if', model.link.if))] : []),
    ...model.relations.flatMap(agreed),
  ]);
}

/** `Membership if accepted = true, first owner` */
function describeMembers({ by, if: condition, first, roles }: Members): string {
  const counted = joined(by, spell('if', condition));
  return first ? `${counted}, first ${roles.at(-1) ?? 'whoever makes a row'}` : counted;
}

/** `assignee` → `among project.member` */
function agreed(relation: Relation): [string, string][] {
  if (relation.kind !== 'one' || relation.among === undefined) return [];
  const { path, members } = relation.among;
  const word = members && spellEntry({ kind: 'members', ...members });
  return [[relation.name, `among ${[...path, ...(word ? [word] : [])].join('.')}`]];
}

const joined = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(' ');

/** Whether a description names the operation: it has an endpoint, or an unusual rule. */
export function isSpelledOut(model: Model, operation: Operation): boolean {
  const { access, endpoints } = model;
  if (operation === 'refer') return spellRule(access.refer) !== spellRule(access.read);
  if (operation !== 'restore') return endpoints.includes(operation);
  return isRestored(model) && spellRule(access.restore) !== 'admin';
}

const labelled = (label: string, names: readonly string[] = []): [string, string][] =>
  names.length === 0 ? [] : [[label, names.join(', ')]];

/** Access in a line, with one entry for all labels of the same people: `list, read: public; create: authenticated`. */
export function describeAccess(model: Model): string {
  const labels = new Map<string, string[]>();
  for (const [label, words] of whoMay(model)) {
    labels.set(words, [...(labels.get(words) ?? []), label]);
  }
  const parts = [...labels].map(([words, names]) => `${names.join(', ')}: ${words}`);
  return parts.join('; ') || 'no endpoints';
}
