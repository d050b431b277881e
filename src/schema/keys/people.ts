import { type Keys, mapShape, readMap } from '../key.ts';
import {
  asText,
  capitalName,
  listShape,
  namedMap,
  orInShort,
  referenceShape,
  stringShape,
} from '../kinds.ts';
import { byOperation, type Located } from '../language.ts';
import { readEntries, isText, type Reader, readWord, readWords } from '../shape.ts';
import { scopeInside, reportKind } from '../scope.ts';

/** Names of fields or roles: one, or a list. */
const readNames: Reader<readonly Located<string>[] | undefined> = (node, scope) => {
  if (node === undefined) return undefined;
  if (isText(node)) return [{ value: node.value, at: node.at }];
  return readWords(node, scope);
};

export const asNames = { shape: { anyOf: [stringShape, listShape(stringShape)] }, read: readNames };

/** A relation, or a map that also says who may name the owner. */
export const asOwner = orInShort('relation', {
  relation: {
    about: 'A to-one relation to `User`, set from the token on create.',
    ...asText(),
    required: 'add the relation to the owner, like `relation: author`',
  },
  assign: { about: 'Roles that may name another user as the owner of a new row.', ...asNames },
});

const readFirst: Reader<Located<string | true> | undefined> = (node, scope) =>
  node?.kind === 'scalar' && node.value === true
    ? { value: true, at: node.at }
    : readWord(node, scope);

export const membersKeys = {
  by: {
    about: 'The model whose rows name a user and the row that they are a member of.',
    shape: capitalName,
    read: readWord,
    required: 'add the model whose rows name them, like `by: Membership`',
  },
  if: { about: 'Which of those rows count: `accepted = true`.', ...asText(), absent: 'all' },
  first: {
    about:
      'The role of whoever creates a row, which has to be the highest; `true` where members have no roles. A change that would leave nobody with it is refused.',
    shape: { anyOf: [stringShape, { const: true }] },
    read: readFirst,
  },
} as const satisfies Keys;

const { read: readMembers } = orInShort('by', membersKeys);

/** People around a row, named by rows of another model; rules refer to them by the word. */
export type MembersSchema = { readonly word: Located<string> } & NonNullable<
  ReturnType<typeof readMembers>
>;

const readMemberKinds: Reader<readonly MembersSchema[]> = (node, scope) =>
  readEntries(node, scope).flatMap(({ name, key, value }) => {
    const found = readMembers(value, scopeInside(scope, name));
    return found === undefined ? [] : [{ word: { value: name, at: key.at }, ...found }];
  });

export const asMembers = { ...namedMap('members'), read: readMemberKinds };

/** The name of the secret, or a map that also says which links count. */
export const asLink = orInShort('secret', {
  secret: {
    about:
      'The field that holds the hash of the secret; the secret itself is returned once, to whoever creates the row.',
    ...asText(),
    required: 'add the name of the secret, like `secret: token`',
  },
  if: { about: 'Which links count: `expires_at > now`.', ...asText(), absent: 'all' },
});

/** The entries of a rule, unparsed: see `entry.ts`. */
export type RuleSchema = readonly Located<string>[];

/** An entry or a list of entries, any of which admits. */
const readWho: Reader<RuleSchema | undefined> = (node, scope) => {
  if (node === undefined) return undefined;
  const items = node.kind === 'list' ? node.items : [node];
  if (items.length === 0) {
    const message = `${scope.path} admits nobody`;
    const help = 'write `admin` for administrators only';
    scope.report({ code: 'SCF706', at: node.at, message, help });
  }
  return items.flatMap((item) => readWord(item, scope) ?? []);
};

const accessKey = { about: '', shape: referenceShape('access'), read: readWho };
const accessKeys = { ...byOperation(() => accessKey), all: accessKey };

type AccessSchema = Partial<Readonly<Record<keyof typeof accessKeys, RuleSchema>>>;

/** Per operation an entry or a list of entries. */
const readAccess: Reader<AccessSchema> = (node, scope) => {
  if (node === undefined) return {};
  if (!isText(node)) return readMap(node, accessKeys, scope);
  if (/^via\s/.test(node.value)) return { all: readWho(node, scope) ?? [] };
  reportKind(node, 'a map of operation to who may', scope, `write \`{ read: ${node.value} }\``);
  return {};
};

export const asAccess = {
  shape: { anyOf: [mapShape(accessKeys), { ...stringShape, pattern: '^via ' }] },
  read: readAccess,
};

/** Rules of a field or relation; they narrow down those of its model. */
export const memberRules = {
  read: {
    about: '[Who sees it](#fields-and-relations), of those who see the row.',
    absent: 'all of them',
    shape: { allOf: [referenceShape('access')] },
    read: readWho,
  },
  write: {
    about: '[Who writes it](#fields-and-relations), of those who write the row.',
    absent: 'all of them',
    shape: { allOf: [referenceShape('access')] },
    read: readWho,
  },
} as const satisfies Keys;
