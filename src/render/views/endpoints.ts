import { isRestorable } from '../../model/access.ts';
import { isUser, type Model } from '../../model/app.ts';
import type { ModelNames } from '../../naming/name.ts';
import { type EndpointName, endpointNames } from '../../schema/language.ts';

/** `operation` is the name of an endpoint in templates, where `delete` would be a word of the language. */
const steps = ([...endpointNames, 'restore'] as const).map((endpoint) => ({
  endpoint,
  operation: endpoint === 'delete' ? ('remove' as const) : endpoint,
  query: ({ type, typePlural }: ModelNames) =>
    (endpoint === 'read' ? 'find' : endpoint) + (endpoint === 'list' ? typePlural : type),
}));

type Step = (typeof steps)[number];

export const has = (model: Model, endpoint: EndpointName) => model.endpoints.includes(endpoint);

/** The endpoints of a model, and what brings back its rows. */
export const stepsOf = (model: Model) =>
  steps.filter(({ endpoint }) =>
    endpoint === 'restore' ? isRestorable(model) : has(model, endpoint),
  );

/** Those that have a query: users sign up and change themselves whatever the endpoints are. */
export function queriesOf(model: Model) {
  const always = isUser(model) ? ['create', 'update'] : [];
  const served = stepsOf(model);
  return steps.filter((step) => served.includes(step) || always.includes(step.endpoint));
}

/** By operation, for templates; `false` where there is none. */
export function forTemplates<Value>(
  present: readonly Step[],
  valueOf: (step: Step) => Value,
): Readonly<Record<Step['operation'], Value | false>> {
  const valueFor = (operation: Step['operation']) => {
    const step = present.find((it) => it.operation === operation);
    return step !== undefined && valueOf(step);
  };
  return {
    list: valueFor('list'),
    create: valueFor('create'),
    read: valueFor('read'),
    update: valueFor('update'),
    remove: valueFor('remove'),
    restore: valueFor('restore'),
  };
}
