import type { Id } from './ids.ts';

/** Who asks; nobody is `null`. */
export interface Viewer {
  readonly id: Id;
  readonly role: string;
}

/** The rows a viewer is admitted to: all, none, or those of which it is true. */
export type Condition =
  boolean | Term | { readonly any: readonly Condition[] } | { readonly all: readonly Condition[] };

export interface Term {
  readonly field: string;
  readonly equals: string | number | boolean | null;
}

export type Rule = (viewer: Viewer | null) => Condition;

export interface Policy {
  readonly list: Rule;
  readonly read: Rule;
  readonly create: Rule;
  readonly update: Rule;
  readonly delete: Rule;
}

/** Passes every rule: for seeds, commands and your own jobs. */
export const system: Viewer = { id: 0, role: 'admin' };

export function isAdmin(viewer: Viewer | null): boolean {
  return viewer?.role === 'admin';
}

/** Adds what holds for every model: an admin always passes. */
export function definePolicy(policy: Policy): Policy {
  return {
    list: anyOf(isAdmin, policy.list),
    read: anyOf(isAdmin, policy.read),
    create: anyOf(isAdmin, policy.create),
    update: anyOf(isAdmin, policy.update),
    delete: anyOf(isAdmin, policy.delete),
  };
}

export const everyone: Rule = () => true;

export const signedIn: Rule = (viewer) => viewer !== null;

/** The user a row is about. */
export const self: Rule = owner('id');

/** The user whose id a row holds in `field`. */
export function owner(field: string): Rule {
  return (viewer) => viewer !== null && { field, equals: viewer.id };
}

export function role(...names: readonly string[]): Rule {
  return (viewer) => viewer !== null && names.includes(viewer.role);
}

/** Rows that hold `value` in `field`, for everybody. */
export function where(field: string, value: Term['equals']): Rule {
  return () => ({ field, equals: value });
}

export function anyOf(...rules: readonly Rule[]): Rule {
  return (viewer) => {
    const conditions: Condition[] = [];
    for (const rule of rules) {
      const condition = rule(viewer);
      if (condition === true) return true;
      if (condition !== false) conditions.push(condition);
    }
    const [first = false, ...others] = conditions;
    return others.length === 0 ? first : { any: conditions };
  };
}

export function allOf(...rules: readonly Rule[]): Rule {
  return (viewer) => {
    const conditions: Condition[] = [];
    for (const rule of rules) {
      const condition = rule(viewer);
      if (condition === false) return false;
      if (condition !== true) conditions.push(condition);
    }
    const [first = true, ...others] = conditions;
    return others.length === 0 ? first : { all: conditions };
  };
}

/** Whether a row that is about to be written is one of those that the condition admits. */
export function satisfies(row: Readonly<Record<string, unknown>>, condition: Condition): boolean {
  if (typeof condition === 'boolean') return condition;
  if ('any' in condition) return condition.any.some((part) => satisfies(row, part));
  if ('all' in condition) return condition.all.every((part) => satisfies(row, part));
  return (row[condition.field] ?? null) === condition.equals;
}
