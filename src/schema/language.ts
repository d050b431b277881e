import type { NameCase } from '../naming/name.ts';
import type { Position } from './problem.ts';

/** A value and its position in the schema file, for messages. */
export interface Located<T> {
  readonly value: T;
  readonly at: Position;
}

/** The case of generated names: in the API, and of columns. */
export interface Naming {
  readonly api: NameCase;
  readonly columns: NameCase;
}

/** What holds for a schema that does not say. */
export const defaults = { database: 'sqlite', apiPrefix: '/api', idType: 'int' } as const;

/** What happens to a key if the id that it leads to changes. */
export const updateRules = ['restrict', 'cascade'] as const;

export type UpdateRule = (typeof updateRules)[number];

export const endpointNames = ['list', 'create', 'read', 'update', 'delete'] as const;

export type EndpointName = (typeof endpointNames)[number];

/** Operations that rules are about, in the order of reports. `refer`: to write the key of a row into another row. */
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

interface OperationDetails {
  /** The operation whose rule applies if this one has none. */
  readonly like?: Operation;
  /** The operation on the other row that `via` requires by default. */
  readonly via: 'list' | 'read' | 'update';
  /** Defaults: of a model without owners, of one with owners, of `User`. */
  readonly shared: 'admin' | 'authenticated';
  readonly owned: 'admin' | 'authenticated' | 'owner';
  readonly users: 'admin' | 'authenticated' | 'self';
  /** Foreign names for the operation. */
  readonly foreign?: readonly string[];
}

export const operationDetails: Readonly<Record<Operation, OperationDetails>> = {
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

/** The operation on the target of a relation that `via` requires. */
export const operationOfVia = (entry: { readonly operation?: Operation }, asked: Operation) =>
  entry.operation ?? operationDetails[asked].via;
