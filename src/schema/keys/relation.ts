import { type Keys, nothingBesides, type ReadMap, readMap } from '../key.ts';
import {
  asChoice,
  asFlag,
  asText,
  capitalName,
  description,
  shortRelation,
  stringShape,
} from '../kinds.ts';
import { type Located, updateRules } from '../language.ts';
import { leaveUnread, isText, readWord } from '../shape.ts';
import { parseShortRelation } from '../shorthand.ts';
import {
  type MapEntry,
  type MapNode,
  type SchemaNode,
  locatePart,
  type ScalarNode,
} from '../source.ts';
import { literalReader } from './field-keys.ts';
import { memberRules } from './people.ts';
import { scopeInside, reportFlaw, reportKind, type Scope } from '../scope.ts';

export const relationKeys = {
  to: {
    about: 'The model that the key refers to; `User?` and `Tag[]` work here too.',
    shape: ({ models }) => ({
      anyOf: [{ enum: models }, { ...stringShape, pattern: shortRelation }],
    }),
    read: leaveUnread,
    required: 'add the model it leads to, like `to: User`',
  },
  optional: { about: 'May be null; without it, required.', ...asFlag(false) },
  many: { about: 'Many-to-many.', ...asFlag(false) },
  unique: { about: 'One-to-one: no two rows lead to the same one.', ...asFlag(false) },
  inverse: { about: 'What the other side calls it: `comments` on `Post`.', ...asText() },
  through: {
    about: 'A model that holds the pairs and has fields of its own.',
    shape: capitalName,
    read: readWord,
  },
  on_delete: {
    about:
      'What happens to these rows when the target is deleted: `restrict`, `cascade` or `set_null`.',
    ...asChoice(['restrict', 'cascade', 'set_null'], 'restrict'),
  },
  on_update: {
    about:
      'What happens to the key when another program changes the id of the target: `restrict` or `cascade`.',
    ...asChoice(updateRules),
    absent: 'as [`storage`](#storage) says',
  },
  column: { about: 'Name of the key column.', ...asText(), absent: '`<name>_id`' },
  was: { about: 'Former name: the key is renamed instead of dropped.', ...asText() },
  backfill: {
    about: 'Id that existing rows get when a required relation is added.',
    shape: {},
    // Ids go up to 64 bits.
    read: literalReader('bigint'),
  },
  among: {
    about:
      '[What the target has to agree with](access.md#keys-that-agree): `project.member`, `lesson.school_class`.',
    shape: ({ agreements }) =>
      agreements.length === 0 ? stringShape : { anyOf: [{ enum: agreements }, stringShape] },
    read: readWord,
  },
  index: { about: 'Whether the key is indexed.', ...asFlag(true) },
  ...memberRules,
  description,
} as const satisfies Keys;

export interface RelationSchema extends Omit<
  ReadMap<typeof relationKeys>,
  'to' | 'optional' | 'many'
> {
  readonly name: Located<string>;
  readonly to: Located<string>;
  readonly optional: boolean;
  readonly many: boolean;
}

/** A relation in either form; a broken one points nowhere, so that the rest is still checked. */
export function shapeRelation(entry: MapEntry, scope: Scope): RelationSchema {
  const { value } = entry;
  const name = { value: entry.name, at: entry.key.at };
  const inner = scopeInside(scope, entry.name);
  if (isText(value)) return { name, ...shapeTarget(value, inner), ...nothingBesides };
  if (value.kind === 'map') return { name, ...shapeLongRelation(value, inner) };
  const [item] = value.kind === 'list' ? value.items : [];
  const help = item && isText(item) ? `write \`${item.value}[]\`` : undefined;
  reportKind(value, 'a model, like `User`, `User?` or `User[]`, or a map with `to`', inner, help);
  return { name, ...nowhere(value), ...nothingBesides };
}

const nowhere = ({ at }: SchemaNode) => ({ to: { value: '', at }, optional: false, many: false });

function shapeTarget(node: ScalarNode & { value: string }, scope: Scope) {
  const { to, optional, many, flaw } = parseShortRelation(node.value);
  if (flaw !== undefined) reportFlaw('SCF302', flaw, node, scope);
  const value = flaw === undefined ? to.text : '';
  return { to: { value, at: locatePart(node, to.from, to.to) }, optional, many };
}

function shapeLongRelation(node: MapNode, scope: Scope): Omit<RelationSchema, 'name'> {
  const { to, ...rest } = readMap(node, relationKeys, scope);
  readWord(to, scopeInside(scope, 'to'));
  const target = to !== undefined && isText(to) ? shapeTarget(to, scope) : nowhere(to ?? node);
  return { ...target, ...rest };
}
