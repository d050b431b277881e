import { timestampKeys } from './keys.ts';
import { present } from './present.ts';
import type { ModelSchema, TimestampsSchema } from './schema.ts';
import { choiceOf, flagOf, isText, openMap, type Reader, spokenFlags, textOf } from './shape.ts';

/** `true` for both times, one of them, or a map of what they are called. */
export const timestampsOf: Reader<TimestampsSchema | undefined> = (node, scope) => {
  if (node === undefined) return undefined;
  if (node.kind === 'map') {
    const map = openMap(node, timestampKeys, scope);
    return present({ created: map.read('created', textOf), updated: map.read('updated', textOf) });
  }
  if (isText(node)) {
    const only = choiceOf(['created', 'updated'])(node, scope);
    return only && { [only.value]: true };
  }
  const all = flagOf(node, scope);
  if (all === undefined) return undefined;
  return all ? { created: true, updated: true } : {};
};

export const softDeleteOf: Reader<ModelSchema['softDelete']> = (node, scope) =>
  node !== undefined && isText(node) && spokenFlags[node.value] === undefined
    ? textOf(node, scope)
    : flagOf(node, scope);
