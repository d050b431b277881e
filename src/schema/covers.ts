import { present } from '../present.ts';
import { type Comparison, type Entry, isOfKind } from './entry.ts';
import { spellComparison } from './spell-entry.ts';
import type { ModelSchema } from './keys/model.ts';
import { askedThere, type Operation, operationFacts } from './language.ts';

/** The two operations may differ: whoever creates a row, say, may read it. */
interface Compared {
  /** The relation to the owner, if there is one. */
  readonly owner: string | undefined;
  readonly operation: Operation;
  readonly other?: Operation;
}

export const comparedIn = ({ owner }: ModelSchema, operation: Operation): Compared => ({
  owner: owner?.relation.value,
  operation,
});

/** Whether an entry certainly admits everybody whom another one admits. When in doubt, no. */
export function covers(one: Entry, other: Entry, compared: Compared): boolean {
  return (
    coversWho(one, other, compared) &&
    isPartOf(one.if, other.if) &&
    isPartOf(one.after, other.after)
  );
}

function coversWho(
  one: Entry,
  other: Entry,
  { owner, operation, other: second = operation }: Compared,
): boolean {
  switch (one.kind) {
    case 'public':
      return true;
    case 'authenticated':
      // These may admit people without an account.
      if (isOfKind(other, 'public', 'link', 'members', 'shares')) return false;
      return !(other.kind === 'via' && seesVia(other, second));
    case 'owner':
    case 'is': {
      const relation = userRelation(one, owner);
      return relation !== undefined && relation === userRelation(other, owner);
    }
    case 'role':
      return other.kind === 'role' && one.role === other.role;
    case 'via':
      return (
        other.kind === 'via' &&
        one.relation === other.relation &&
        askedThere(one, operation) === askedThere(other, second)
      );
    case 'shares':
      return other.kind === 'shares' && one.model === other.model;
    case 'members':
      return other.kind === 'members' && one.word === other.word && holdsRoles(one, other);
    default:
      return one.kind === other.kind;
  }
}

/** Without roles, all of them are meant. */
function holdsRoles(one: MembersEntry, other: MembersEntry): boolean {
  if (one.roles.length === 0) return true;
  return other.roles.length > 0 && other.roles.every((role) => one.roles.includes(role));
}

function userRelation(entry: Entry, owner: string | undefined): string | undefined {
  if (entry.kind === 'is') return entry.relation;
  return entry.kind === 'owner' ? owner : undefined;
}

type MembersEntry = Extract<Entry, { kind: 'members' }>;

type ViaEntry = Extract<Entry, { kind: 'via' }>;

const seesVia = (entry: ViaEntry, operation: Operation) =>
  operationFacts[askedThere(entry, operation)].via !== 'update';

/** Whether the second condition includes every comparison of the first. */
function isPartOf(one: readonly Comparison[] = [], other: readonly Comparison[] = []): boolean {
  const asked = new Set(other.map(spellComparison));
  return one.every((each) => asked.has(spellComparison(each)));
}

/** Whether a rule certainly admits somebody to whom all of these entries apply. */
export function surelyAdmits(
  rule: readonly Entry[],
  who: readonly Entry[],
  compared: Compared,
): boolean {
  const isMet = (entry: Entry) => who.some((each) => covers(entry, each, compared));
  return (
    rule.some((entry) => !entry.only && isMet(entry)) &&
    rule.every((entry) => !entry.only || isMet(entry))
  );
}

/** Whether a rule certainly admits everybody whom another one admits; `also`: what else each of them is. */
export function surelyAdmitsAll(
  wide: readonly Entry[],
  narrow: readonly Entry[],
  compared: Compared,
  also: (entry: Entry) => readonly Entry[] = () => [],
): boolean {
  const narrowing = narrow.filter(({ only }) => only);
  return admitting(narrow).every((entry) => {
    const who = [entry, ...narrowing].flatMap((each) => [each, ...also(each)]);
    return surelyAdmits(wide, who, compared);
  });
}

export const isOfAdmins = (entry: Entry) => entry.kind === 'role' && entry.role === 'admin';

/** The entries that admit somebody. Admins are always admitted. */
export const admitting = (rule: readonly Entry[]) =>
  rule.filter((entry) => !entry.only && !isOfAdmins(entry));

/** Whether everybody who may create a row may certainly read it. Its creator may count as its owner. */
export function isReadByMakers(
  owner: string | undefined,
  isOwnedByMaker: boolean,
  { create, read }: Readonly<Record<'create' | 'read', readonly Entry[]>>,
): boolean {
  const asOwner = ({ kind, if: condition }: Entry): readonly Entry[] =>
    isOwnedByMaker && kind !== 'public' ? [{ kind: 'owner', ...present({ if: condition }) }] : [];
  return surelyAdmitsAll(read, create, { owner, operation: 'read', other: 'create' }, asOwner);
}
