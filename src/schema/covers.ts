import { present } from '../present.ts';
import { type Comparison, type Entry, isOfKind } from './entry.ts';
import { spellComparison } from './spell-entry.ts';
import type { ModelSchema } from './keys/model.ts';
import { operationOfVia, type Operation, operationDetails } from './language.ts';

/** The operations of the two entries. They may differ: whether somebody who creates a row may read it, for example. */
interface Compared {
  /** The name of the relation to the owner. */
  readonly owner: string | undefined;
  readonly operation: Operation;
  readonly other?: Operation;
}

export const comparedIn = ({ owner }: ModelSchema, operation: Operation): Compared => ({
  owner: owner?.relation.value,
  operation,
});

/** Whether an entry certainly admits everybody whom another entry admits. False if in doubt. */
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
        operationOfVia(one, operation) === operationOfVia(other, second)
      );
    case 'shares':
      return other.kind === 'shares' && one.model === other.model;
    case 'members':
      return other.kind === 'members' && one.word === other.word && holdsRoles(one, other);
    default:
      return one.kind === other.kind;
  }
}

/** An entry without roles means all of them. */
function holdsRoles(one: MembersEntry, other: MembersEntry): boolean {
  if (one.roles.length === 0) return true;
  return other.roles.length > 0 && other.roles.every((role) => one.roles.includes(role));
}

function userRelation(entry: Entry, owner: string | undefined): string | undefined {
  if (entry.kind === 'is') return entry.relation;
  return entry.kind === 'owner' ? owner : undefined;
}

type MembersEntry = Extract<Entry, { kind: 'members' }>;

const seesVia = (entry: Extract<Entry, { kind: 'via' }>, operation: Operation) =>
  operationDetails[operationOfVia(entry, operation)].via !== 'update';

/** Whether every comparison of the first condition is in the second one. */
function isPartOf(one: readonly Comparison[] = [], other: readonly Comparison[] = []): boolean {
  const asked = new Set(other.map(spellComparison));
  return one.every((each) => asked.has(spellComparison(each)));
}

/** Whether a rule certainly admits somebody to whom all of some entries apply. */
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

/** Whether a rule certainly admits everybody whom another rule admits. `also`: entries that apply to all of them. */
export function surelyAdmitsAll(
  wide: readonly Entry[],
  narrow: readonly Entry[],
  compared: Compared,
  also: (entry: Entry) => readonly Entry[] = () => [],
): boolean {
  const narrowing = narrow.filter(({ only }) => only);
  return admittingEntries(narrow).every((entry) => {
    const who = [entry, ...narrowing].flatMap((each) => [each, ...also(each)]);
    return surelyAdmits(wide, who, compared);
  });
}

export const isOfAdmins = (entry: Entry) => entry.kind === 'role' && entry.role === 'admin';

/** Entries that admit somebody, with admins. */
export const admittingEntries = (rule: readonly Entry[]) =>
  rule.filter((entry) => !entry.only && !isOfAdmins(entry));

/** Whether everybody who may create a row may certainly read it. `isOwnedByMaker`: whether the creator is the owner. */
export function isReadByMakers(
  {
    owner,
    isOwnedByMaker,
  }: { readonly owner: string | undefined; readonly isOwnedByMaker: boolean },
  { create, read }: Readonly<Record<'create' | 'read', readonly Entry[]>>,
): boolean {
  const asOwner = ({ kind, if: condition }: Entry): readonly Entry[] =>
    isOwnedByMaker && kind !== 'public' ? [{ kind: 'owner', ...present({ if: condition }) }] : [];
  return surelyAdmitsAll(read, create, { owner, operation: 'read', other: 'create' }, asOwner);
}
