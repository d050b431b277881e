import type { Resource } from '../resource.ts';

/** The parameters of a list that are not named after a field; a field of such a name is filtered as `limit__eq`. */
export function reservedParameters({ softDelete, parameters }: Resource): readonly string[] {
  const names = ['limit', 'offset', 'cursor', 'count', 'order_by', 'fields', 'filter'];
  return [...names, ...(softDelete ? ['deleted'] : []), ...Object.keys(parameters ?? {})];
}
