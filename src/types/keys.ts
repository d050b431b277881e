/** Kinds of ids: counted by the database, a uuid, or a text. */
export const keyKinds = ['int', 'uuid', 'uuid text', 'cuid', 'ulid', 'nanoid', 'text'] as const;

export type KeyKind = (typeof keyKinds)[number];

/** Keys that are texts and that the server makes. */
export const keyMakers = [
  'uuid text',
  'cuid',
  'ulid',
  'nanoid',
] as const satisfies readonly KeyKind[];

export type KeyMaker = (typeof keyMakers)[number];

/** The function of the emitted server that makes one, and what they look like. */
export const madeKeys: Readonly<
  Record<KeyMaker, { readonly made: string; readonly sample: string; readonly pattern: string }>
> = {
  'uuid text': {
    made: 'newUuid',
    sample: '018f4e6a-7b8c-7d9e-8f00-112233445566',
    pattern: '[0-9a-f-]{36}',
  },
  cuid: { made: 'newCuid', sample: 'cm8x2k4p1000h7dq0v5r3w9zt', pattern: 'c[0-9a-z]{24}' },
  ulid: {
    made: 'newUlid',
    sample: '01JQ4M8ZK7000H3T9WXB5RCDPE',
    pattern: '[0-7][0-9A-HJKMNP-TV-Z]{25}',
  },
  nanoid: { made: 'newNanoid', sample: 'V1StGXR8qZ5jdHi6BmyTk', pattern: '[0-9A-Za-z_-]{21}' },
};

export function isMadeKey(kind: KeyKind): kind is KeyMaker {
  return kind in madeKeys;
}

/** In characters: even with each one escaped, a path with the id is short enough for every proxy. */
export const longestKey = 255;
