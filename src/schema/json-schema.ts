import type { Json } from '../types/field-type.ts';
import { whoKinds } from './entry.ts';
import { mapShape, type SchemaNames, usualNames } from './key.ts';
import {
  listShape,
  referenceShape,
  shortField,
  shortRelation,
  stringShape,
  listTypes,
} from './kinds.ts';
import { enumShape } from './keys/enum.ts';
import { fieldKeys } from './keys/field-keys.ts';
import { modelKeys } from './keys/model.ts';
import { membersKeys } from './keys/people.ts';
import { relationKeys } from './keys/relation.ts';
import { topKeys } from './keys/top.ts';

/**
 * The schema language as JSON Schema, for completion and checks in editors. Draft 7, which the YAML language server
 * supports best. It does not describe whether the parts of a schema fit together; `scaffold check` reports that.
 */
export function buildJsonSchema(names = usualNames): { readonly [key: string]: Json } {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'scaffold schema, version 1',
    ...mapShape(topKeys, names),
    definitions: definitions(names),
  };
}

function definitions(names: SchemaNames): { readonly [key: string]: Json } {
  return {
    model: { ...mapShape(modelKeys, names), type: ['object', 'null'] },
    field: {
      description: 'A type with range, `?`, default and flags, or the long form.',
      anyOf: [
        { enum: listTypes(names) },
        { ...stringShape, pattern: shortField, examples: fieldExamples },
        mapShape(fieldKeys, names),
      ],
    },
    relation: {
      description:
        '`User` (required), `User?` (optional), `Tag[]` (many-to-many), or the long form.',
      anyOf: [
        { enum: names.models.flatMap((name) => [name, `${name}?`, `${name}[]`]) },
        { ...stringShape, pattern: shortRelation },
        mapShape(relationKeys, names),
      ],
    },
    members: {
      description: 'A model whose rows name the members, or the long form.',
      anyOf: [
        { enum: names.models },
        { ...stringShape, pattern: '^[A-Z]' },
        mapShape(membersKeys, names),
      ],
    },
    enum: enumShape,
    who: {
      description:
        '`public`, `authenticated`, `owner`, `self` (on `User`), `link`, a role, a word for members like `member(manager)`, `is <relation>`, `via <relation>` or `shares <Model>`, and with it a condition: `owner if status = draft`.',
      anyOf: [{ enum: whoIn(names) }, stringShape],
    },
    access: { anyOf: [referenceShape('who'), listShape(referenceShape('who'))] },
    order: orderShape,
  };
}

const orderShape = {
  description: 'A field or relation, `-` before it for descending.',
  type: 'string',
  pattern: String.raw`^\s*-?\s*[A-Za-z][A-Za-z0-9_]*\s*$`,
};

const fieldExamples = ['string(1..80)', 'text?', 'int(0..) = 0', 'datetime? index'];

/** Without accounts, rules cannot name people or roles. */
const whoIn = ({ roles, people }: SchemaNames) =>
  roles.length === 0 ? ['public'] : [...whoKinds, ...roles, ...people];
