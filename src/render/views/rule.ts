import { findOwnerKey } from '../../model/writing.ts';
import { admitsAnonymous } from '../../model/access.ts';
import type { Model } from '../../model/app.ts';
import { getTarget, getField, getModel, findToOne } from '../../model/lookups.ts';
import { operationOfVia, type Operation } from '../../schema/language.ts';
import { tsCall, tsObject, tsString } from '../typescript.ts';
import { useMember } from './agreement.ts';
import {
  useAccess,
  printComparisons,
  joinRules,
  resourceFunction,
  type RuleScope,
} from './condition.ts';
import { linkName } from './members.ts';
import { hasCondition, dependsOnRow, type Entry } from '../../schema/entry.ts';

export function printRule(
  entries: readonly Entry[],
  operation: Operation,
  scope: RuleScope,
): string {
  const only = entries.filter((entry) => entry.only);
  const any = anyRule(
    entries.filter((entry) => !entry.only),
    operation,
    scope,
  );
  const narrowed = only.map((entry) => entryRule(entry, operation, scope));
  return joinRules('allOf', [...narrowed, any], scope);
}

/** The alternatives of a change with conditions before and after: the one that admits before must also admit after. */
export function printUpdateRule(entries: readonly Entry[], scope: RuleScope): string | undefined {
  const ways = entries.filter((entry) => !entry.only);
  const ofRows = ways.filter(dependsOnRow);
  if (!ways.some(hasCondition) && ofRows.length < 2) return undefined;
  const only = entries.filter((entry) => entry.only);
  const narrowed = only.map((entry) => entryRule(entry, 'update', scope));
  const printed = merged(ways).map((entry) => {
    const { if: before, after, ...plain } = entry;
    const who = joinRules('allOf', [...narrowed, entryRule(plain, 'update', scope)], scope);
    if (before === undefined && after === undefined) return who;
    const rule = (all: typeof before) =>
      all && joinRules('allOf', printComparisons(all, scope), scope);
    const parts = [
      ['who', who],
      ['if', rule(before)],
      ['then', rule(after)],
    ] as const;
    return tsObject(Object.fromEntries(parts));
  });
  return `[${printed.join(', ')}]`;
}

function anyRule(entries: readonly Entry[], operation: Operation, scope: RuleScope): string {
  const isOpen = (kind: Entry['kind']) =>
    entries.some((entry) => entry.kind === kind && entry.if === undefined);
  if (isOpen('public')) return useAccess(scope, 'everyone');
  const { model, app } = scope;
  const strangers = entries.filter((entry) => admitsAnonymous(entry, model, app, operation));
  const shown = isOpen('authenticated')
    ? [{ kind: 'authenticated' } as const, ...strangers]
    : merged(entries);
  const rules = shown.map((entry) => entryRule(entry, operation, scope));
  return joinRules('anyOf', rules, scope);
}

/** Roles come after one's own rows, all in one call; `admin` is implied beside others. */
function merged(entries: readonly Entry[]): readonly (Entry | RolesEntry)[] {
  const roles = entries.flatMap((entry) =>
    entry.kind === 'role' && !hasCondition(entry) && entry.role !== 'admin' ? [entry.role] : [],
  );
  const others = entries.filter((entry) => !isPlainRole(entry));
  if (roles.length > 0) return [...others, { kind: 'roles', roles }];
  return others.length > 0 ? others : [{ kind: 'role', role: 'admin' }];
}

const isPlainRole = (entry: Entry) => entry.kind === 'role' && !hasCondition(entry);

interface RolesEntry {
  readonly kind: 'roles';
  readonly roles: readonly string[];
  readonly if?: never;
  readonly after?: never;
}

/** `allOf(owner('author_id'), when('status', '=', 'draft'))` */
export function entryRule(
  entry: Entry | RolesEntry,
  operation: Operation,
  scope: RuleScope,
): string {
  const conditions = entry.if === undefined ? [] : printComparisons(entry.if, scope);
  const isForAll = entry.kind === 'public' && conditions.length > 0;
  const who = isForAll ? [] : [whoRule(entry, operation, scope)];
  return joinRules('allOf', [...who, ...conditions], scope);
}

function whoRule(entry: Entry | RolesEntry, operation: Operation, scope: RuleScope): string {
  const { model, app, use } = scope;
  switch (entry.kind) {
    case 'public':
      return useAccess(scope, 'everyone');
    case 'authenticated':
      return useAccess(scope, 'signedIn');
    case 'self':
      return useAccess(scope, 'self');
    case 'owner':
      return owned(findOwnerKey(model), scope);
    case 'is':
      return owned(findToOne(model, entry.relation)?.key, scope);
    case 'role':
      return tsCall(useAccess(scope, 'role'), tsString(entry.role));
    case 'members':
      return tsCall(entry.word, ...entry.roles.map(tsString));
    case 'link':
      return linkName(model);
    case 'shares':
      return sharesRule(getModel(entry.model, app), scope);
    case 'roles':
      return tsCall(useAccess(scope, 'role'), ...entry.roles.map(tsString));
    case 'via': {
      const { key, target } = getTarget(model, entry.relation, app);
      const wanted = tsString(operationOfVia(entry, operation));
      return tsCall(
        use('../lib/via.ts', 'via'),
        tsString(key.column),
        resourceFunction(target, scope),
        wanted,
      );
    }
  }
}

/** Whoever is a member of the same row. */
function sharesRule(there: Model, scope: RuleScope): string {
  const named = (there.members ?? []).filter(({ user }) => user !== undefined);
  const kinds = named.map(({ word }) => `() => ${useMember(there, word, scope)}`);
  const shares = scope.use('../lib/shares.ts', 'shares');
  const call = tsCall(shares, resourceFunction(there, scope), ...kinds);
  scope.shares.set(`shares${there.names.type}`, call);
  return `shares${there.names.type}`;
}

const owned = (key: string | undefined, scope: RuleScope) =>
  tsCall(useAccess(scope, 'owner'), tsString(getField(scope.model, key ?? '').column));
