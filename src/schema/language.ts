import type { NameCase } from '../naming/name.ts';
import type { Position } from './problem.ts';

/** What is written in a schema file, and where: for messages. */
export interface Located<T> {
  readonly value: T;
  readonly at: Position;
}

/** The case of names that the schema does not give: in the API, and, where that differs, of every column. */
export interface Naming {
  readonly api: NameCase;
  readonly columns: NameCase;
}

/** What becomes of keys when the id changes to which they lead. */
export const updateRules = ['restrict', 'cascade'] as const;

export type UpdateRule = (typeof updateRules)[number];

export const endpointNames = ['list', 'create', 'read', 'update', 'delete'] as const;

export type EndpointName = (typeof endpointNames)[number];

/**
 * What rules are about, in the order of reports: who sees the rows, who changes them, who brings back what was deleted,
 * who puts a key to one into a row of their own.
 */
export const operations = [
  'list',
  'read',
  'create',
  'update',
  'delete',
  'restore',
  'refer',
] as const;

export type Operation = (typeof operations)[number];

export function byOperation<Thing>(make: (name: Operation) => Thing): Record<Operation, Thing> {
  return {
    list: make('list'),
    read: make('read'),
    create: make('create'),
    update: make('update'),
    delete: make('delete'),
    restore: make('restore'),
    refer: make('refer'),
  };
}

/** What is asked of the other row where nothing is said: to see it, or to change it. */
export function operationVia(operation: Operation): Operation {
  if (operation === 'list') return 'list';
  return operation === 'read' || operation === 'refer' ? 'read' : 'update';
}
