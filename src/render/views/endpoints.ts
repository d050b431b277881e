import { isRestorable } from '../../model/access.ts';
import { isUser, type Model } from '../../model/app.ts';
import { endpointNames } from '../../schema/language.ts';

/** `operation` is the name of an endpoint in templates, because `delete` is a reserved word. */
const steps = ([...endpointNames, 'restore'] as const).map((endpoint) => ({
  endpoint,
  operation: endpoint === 'delete' ? ('remove' as const) : endpoint,
}));

export type EndpointStep = (typeof steps)[number];

/** The endpoints of a model and, if its rows can be restored, `restore`. */
export const endpointSteps = (model: Model) =>
  steps.filter(({ endpoint }) =>
    endpoint === 'restore' ? isRestorable(model) : model.endpoints.includes(endpoint),
  );

/** Endpoints with a query. Users always sign up and change themselves. */
export function listQueries(model: Model) {
  const always = isUser(model) ? ['create', 'update'] : [];
  const served = endpointSteps(model);
  return steps.filter((step) => served.includes(step) || always.includes(step.endpoint));
}

/** A value for each endpoint, or `false`. */
export function byEndpoint<Value>(
  present: readonly EndpointStep[],
  valueOf: (step: EndpointStep) => Value,
): Readonly<Record<EndpointStep['operation'], Value | false>> {
  const valueFor = (operation: EndpointStep['operation']) => {
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
