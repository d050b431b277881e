import { isRestored } from '../../model/access.ts';
import { type Endpoint, isUser, type Model } from '../../model/app.ts';
import type { ModelNames } from '../../naming/name.ts';

/**
 * What files name after each endpoint: the verb of its query, and what they import of `src/lib` (`request`, `reply`, `lists`, `rows`,
 * `write`) and of `test` (`promises`, `writes`). `operation` is its name in templates, where `delete` would be a word of the
 * language.
 */
const steps = (
  [
    ['list', 'list', 'listRequest', 'sendPage', 'defineList', '', '', 'testList', ''],
    ['create', 'create', 'newRow', 'sendCreated', '', 'type NewRow', 'creating', '', 'testCreate'],
    ['read', 'find', 'rowRequest', 'sendRow', '', 'defineFind', '', 'testRow', ''],
    [
      'update',
      'update',
      'rowRequest',
      'sendRow',
      '',
      'type RowRequest',
      'updating',
      '',
      'testUpdate',
    ],
    [
      'delete',
      'delete',
      'rowRequest',
      'sendNothing',
      '',
      'type RowRequest',
      'deleting',
      '',
      'testDelete',
    ],
    ['restore', 'restore', 'rowRequest', 'sendRow', '', 'type RowRequest', 'restoring', '', ''],
  ] as const
).map(([endpoint, verb, request, reply, lists, rows, write, promises, writes]) => ({
  endpoint,
  operation: endpoint === 'delete' ? 'remove' : endpoint,
  query: ({ type, typePlural }: ModelNames) => verb + (verb === 'list' ? typePlural : type),
  imports: { request, reply, lists, rows, write, promises, writes },
}));

export type Step = (typeof steps)[number];

export const has = (model: Model, endpoint: Endpoint) => model.endpoints.includes(endpoint);

/** The endpoints of a model, and what brings back its rows. */
export const stepsOf = (model: Model) =>
  steps.filter(({ endpoint }) =>
    endpoint === 'restore' ? isRestored(model) : has(model, endpoint),
  );

/** Those that have a query: users sign up and change themselves whatever the endpoints are. */
export function queriesOf(model: Model) {
  const always = isUser(model) ? ['create', 'update'] : [];
  const served = stepsOf(model);
  return steps.filter((step) => served.includes(step) || always.includes(step.endpoint));
}

/** By operation, for templates: what is said of those that there are. */
export const byOperation = <Value>(present: readonly Step[], valueOf: (step: Step) => Value) =>
  Object.fromEntries(
    steps.map((step) => [step.operation, present.includes(step) && valueOf(step)]),
  );

/** What a file imports of a module for them, and besides. */
export const importedOf = (
  present: readonly Step[],
  module: keyof Step['imports'],
  ...others: readonly string[]
) =>
  inOrder([...present.map(({ imports }) => imports[module]), ...others].filter((it) => it !== ''));

export const inOrder = (list: readonly string[]) => [...new Set(list)].toSorted();
