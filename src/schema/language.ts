import type { NameCase } from '../naming/name.ts';
import type { Position } from './problem.ts';

/** A value and its position in the schema file, for messages. */
export interface Located<T> {
  readonly value: T;
  readonly at: Position;
}

/** The case of names that the schema does not give: in the API, and, where that differs, of every column. */
export interface Naming {
  readonly api: NameCase;
  readonly columns: NameCase;
}

/** Rules for a key when the id changes to which it leads. */
export const updateRules = ['restrict', 'cascade'] as const;

export type UpdateRule = (typeof updateRules)[number];

export const endpointNames = ['list', 'create', 'read', 'update', 'delete'] as const;

export type EndpointName = (typeof endpointNames)[number];

/** Subjects of rules, in the order of reports. `refer`: to put the key of a row into a row of one's own. */
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

interface OperationFacts {
  /** The operation whose entries apply if the file has none for this one. */
  readonly like?: Operation;
  /** The operation that `via` asks for by default: to see the other row, or to change it. */
  readonly via: 'list' | 'read' | 'update';
  /** Defaults: of a model without owners, of one with owners, of `User`. */
  readonly shared: 'admin' | 'authenticated';
  readonly owned: 'admin' | 'authenticated' | 'owner';
  readonly users: 'admin' | 'authenticated' | 'self';
  /** Names that other languages use for it. */
  readonly foreign?: readonly string[];
}

export const operationFacts: Readonly<Record<Operation, OperationFacts>> = {
  list: {
    like: 'read',
    via: 'list',
    shared: 'authenticated',
    owned: 'authenticated',
    users: 'admin',
    foreign: ['index'],
  },
  read: {
    via: 'read',
    shared: 'authenticated',
    owned: 'authenticated',
    users: 'self',
    foreign: ['get', 'show'],
  },
  create: {
    via: 'update',
    shared: 'admin',
    owned: 'authenticated',
    users: 'admin',
    foreign: ['post'],
  },
  update: {
    via: 'update',
    shared: 'admin',
    owned: 'owner',
    users: 'self',
    foreign: ['put', 'patch'],
  },
  delete: {
    via: 'update',
    shared: 'admin',
    owned: 'owner',
    users: 'admin',
    foreign: ['destroy'],
  },
  restore: { via: 'update', shared: 'admin', owned: 'admin', users: 'admin' },
  refer: {
    like: 'read',
    via: 'read',
    shared: 'authenticated',
    owned: 'authenticated',
    users: 'authenticated',
  },
};

/** The operation on the target of a relation that `via` asks for, given the one on this row. */
export const askedThere = (entry: { readonly operation?: Operation }, asked: Operation) =>
  entry.operation ?? operationFacts[asked].via;
