import { type Operation, operations } from '../schema/language.ts';
import { spell, spellEntry, spellRule } from '../schema/spell-entry.ts';
import type { MemberKind, Model, Relation } from './app.ts';
import { isRestorable } from './access.ts';
import { findAssigners, isAssignable } from './writing.ts';
import type { Entry } from '../schema/entry.ts';

/** A rule of a model, or of one of its fields or relations. */
export interface AccessRule {
  readonly entries: readonly Entry[];
  /** The operation of the model that the rule restricts. */
  readonly operation: Operation;
  /** The name of the field or relation. */
  readonly member?: string;
}

/** The rules of a model by label: `create`, `write title`. */
export function labelAccessRules(model: Model): ReadonlyMap<string, AccessRule> {
  const ofRows = operations
    .filter((name) => isSpelledOut(model, name))
    .map((operation): [string, AccessRule] => {
      return [operation, { entries: model.access[operation], operation }];
    });
  const members = [...model.fields, ...model.relations.filter((it) => it.kind === 'links')];
  // `assign` describes the owner's key.
  const ofFields = members
    .filter((member) => !isAssignable(member, model))
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

/** Describes all access to a model, by label: `create` → `authenticated`. */
export function describeAccessOfModel(model: Model): ReadonlyMap<string, string> {
  return new Map([
    ...[...labelAccessRules(model)].map(
      ([label, { entries }]) => [label, spellRule(entries)] as const,
    ),
    ...labelled('assign', findAssigners(model)),
    ...labelled('embed', model.embed),
    ...(model.members ?? []).map((kind): [string, string] => [kind.word, describeMembers(kind)]),
    ...labelled('link', model.link ? [joined(model.link.secret, spell('if', model.link.if))] : []),
    ...model.relations.flatMap(agreed),
  ]);
}

/** `Membership if accepted = true, first owner` */
function describeMembers({ by, if: condition, first, roles }: MemberKind): string {
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

/** Whether a description mentions the operation, because it has an endpoint or an unusual rule. */
export function isSpelledOut(model: Model, operation: Operation): boolean {
  const { access, endpoints } = model;
  if (operation === 'refer') return spellRule(access.refer) !== spellRule(access.read);
  if (operation !== 'restore') return endpoints.includes(operation);
  return isRestorable(model) && spellRule(access.restore) !== 'admin';
}

const labelled = (label: string, names: readonly string[] = []): [string, string][] =>
  names.length === 0 ? [] : [[label, names.join(', ')]];

/** Describes access in one line: `list, read: public; create: authenticated`. */
export function describeAccess(model: Model): string {
  const labels = new Map<string, string[]>();
  for (const [label, words] of describeAccessOfModel(model)) {
    labels.set(words, [...(labels.get(words) ?? []), label]);
  }
  const parts = [...labels].map(([words, names]) => `${names.join(', ')}: ${words}`);
  return parts.join('; ') || 'no endpoints';
}
