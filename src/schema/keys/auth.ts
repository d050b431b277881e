import { type Keys, readMap, type KeyValues } from '../key.ts';
import { asChoice, asFlag, namePattern, stringShape } from '../kinds.ts';
import { isNullNode, type Reader, readWords } from '../shape.ts';
import { reportKind } from '../scope.ts';

export const authKeys = {
  roles: {
    about: 'Roles besides `user` and `admin`, which always exist.',
    shape: {
      type: 'array',
      uniqueItems: true,
      items: { ...stringShape, pattern: namePattern, not: { enum: ['user', 'admin'] } },
    },
    read: readWords,
  },
  name: {
    about: '`optional`: a user [may have no name](#user).',
    ...asChoice(['required', 'optional'], 'required'),
  },
  password: {
    about: '`false`: users have no password here, they sign in elsewhere.',
    ...asFlag(true),
  },
} as const satisfies Keys;

/** `none` means a server without accounts. */
export const readAuth: Reader<KeyValues<typeof authKeys> | 'none' | undefined> = (node, scope) => {
  if (node?.kind !== 'scalar' || isNullNode(node)) return node && readMap(node, authKeys, scope);
  if (node.value === 'none') return 'none';
  reportKind(node, 'a map, or `none`', scope, 'write `auth: none` where there are no users');
  return undefined;
};
