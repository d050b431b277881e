import { isText } from '../../database/values.ts';
import { type Fault, queryFault } from '../problem.ts';
import type { Resource } from '../resource.ts';

export interface Parameter {
  readonly name: string;
  readonly value: string;
}

const most = 64;

/** Reads a raw query string, strictly: each name once, well-formed UTF-8, no list or map in brackets. */
export function readQueryString(query: string): {
  readonly parameters: readonly Parameter[];
  readonly faults: readonly Fault[];
} {
  const parameters: Parameter[] = [];
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const parts = query.split('&').filter((part) => part !== '');
  if (parts.length > most) {
    return { parameters, faults: [queryFault('', 'too_many', `at most ${most} parameters`)] };
  }
  for (const part of parts) {
    const [rawName = ''] = part.split('=', 1);
    const name = decoded(rawName);
    const value = decoded(part.slice(rawName.length + 1));
    if (name === undefined || value === undefined) {
      faults.push(queryFault(name ?? rawName, 'malformed', 'must be percent-encoded UTF-8 text'));
    } else if (seen.has(name)) {
      faults.push(queryFault(name, 'repeated', 'must be given once'));
    } else {
      seen.add(name);
      parameters.push({ name, value });
    }
  }
  return { parameters, faults };
}

function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text.replaceAll('+', ' '));
    return isText(plain) ? plain : undefined;
  } catch {
    return undefined;
  }
}

/** The parameters of a list that are not named after a field; a field of such a name is filtered as `limit__eq`. */
export function reservedParameters({ softDelete, parameters }: Resource): readonly string[] {
  const names = ['limit', 'offset', 'cursor', 'count', 'order_by', 'fields', 'filter'];
  return [...names, ...(softDelete ? ['deleted'] : []), ...Object.keys(parameters ?? {})];
}
