import { type Keys, mapShape, readMap } from '../key.ts';
import { asText, stringShape } from '../kinds.ts';
import type { Located } from '../language.ts';
import { choiceReader, readFlag, isText, type Reader, spokenFlags, readWord } from '../shape.ts';

interface NamedTime extends Located<string> {
  /** Rows that another program wrote may lack it. */
  readonly optional: boolean;
}

/** `made_at?` */
const readTime: Reader<NamedTime | undefined> = (node, scope) => {
  const named = readWord(node, scope);
  if (named === undefined) return undefined;
  const [, value = '', mark] = /^(.*?)(\?)?$/s.exec(named.value) ?? [];
  return { value, at: named.at, optional: mark !== undefined };
};

const asTime = { ...asText(), read: readTime };

const timestampKeys = {
  created: {
    about: 'Name of the time at which a row was created; `?` where it may be null.',
    ...asTime,
  },
  updated: {
    about: 'Name of the time of the last change; `?` where it may be null.',
    ...asTime,
  },
} as const satisfies Keys;

const timestampNames = ['created', 'updated'] as const;

/** The times that are kept: `true`, or the name that the schema gives. */
type Timestamps = { readonly [Name in (typeof timestampNames)[number]]?: NamedTime | true };

/** `true` for both times, one of them, or a map of what they are called. */
const readTimestamps: Reader<Timestamps | undefined> = (node, scope) => {
  if (node === undefined) return undefined;
  if (node.kind === 'map') return readMap(node, timestampKeys, scope);
  if (isText(node)) {
    const only = choiceReader(timestampNames)(node, scope);
    return only && { [only.value]: true };
  }
  const all = readFlag(node, scope);
  if (all === undefined) return undefined;
  return all ? { created: true, updated: true } : {};
};

export const asTimestamps = {
  shape: {
    anyOf: [{ type: 'boolean' }, { enum: timestampNames }, mapShape(timestampKeys)],
    default: true,
  },
  read: readTimestamps,
};

const readSoftDelete: Reader<Located<string> | boolean | undefined> = (node, scope) =>
  node !== undefined && isText(node) && spokenFlags[node.value] === undefined
    ? readWord(node, scope)
    : readFlag(node, scope);

export const asSoftDelete = {
  shape: { anyOf: [{ type: 'boolean' }, stringShape], default: false },
  read: readSoftDelete,
};
