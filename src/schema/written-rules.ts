import { memberWords } from './access-words.ts';
import type { Facts, ModelFacts } from './facts.ts';
import { foreignViewers } from './foreign-words.ts';
import type { FieldSchema } from './keys/field.ts';
import type { RuleSchema } from './keys/people.ts';
import type { RelationSchema } from './keys/relation.ts';
import { type Operation, operations } from './language.ts';
import type { CodedFlaw } from './scope.ts';
import { findNearest, suggest } from './suggest.ts';

export type PropertySchema = FieldSchema | RelationSchema;

export function fieldRules({ schema }: ModelFacts) {
  const members: readonly PropertySchema[] = [...schema.fields, ...schema.relations];
  return members.flatMap((member) => (['read', 'write'] as const).map((key) => ({ member, key })));
}

/** All rules in the file about a model: of its rows, its fields and its relations. */
export function writtenRules(model: ModelFacts): readonly WrittenRule[] {
  const { name: title, schema } = model;
  const ofRows = [...operations, 'all' as const].map((operation) => {
    return { title, key: operation, operation, rule: schema.access[operation] };
  });
  const ofMembers = fieldRules(model).map(({ member, key }) => {
    return { title: `${title}.${member.name.value}`, key, rule: member[key] };
  });
  return [...ofRows, ...ofMembers].map(({ rule = [], ...found }) => ({ ...found, rule }));
}

interface WrittenRule {
  /** `Post`, or `Post.title`. */
  readonly title: string;
  readonly key: string;
  /** Absent for the rule of a field. */
  readonly operation?: Operation | 'all';
  readonly rule: RuleSchema;
}

export function unknownWord(
  value: string,
  { isUser, schema }: ModelFacts,
  { roles }: Facts,
): CodedFlaw {
  const valid = [
    'public',
    'authenticated',
    ...(schema.owner === undefined ? [] : ['owner']),
    ...(isUser ? ['self'] : []),
    ...(schema.link === undefined ? [] : ['link']),
    ...memberWords(schema),
    ...roles,
  ];
  const nearest = findNearest(value, valid);
  const meant = foreignViewers.get(value.toLowerCase());
  const declare = `declare roles under \`auth: { roles: [${/^[A-Za-z]\w*$/.test(value) ? value : 'editor'}] }\``;
  return {
    code: 'SCF701',
    message: `\`${value}\` is not an access keyword or a declared role`,
    help:
      meant ??
      (nearest === undefined ? `${suggest(value, valid)}; ${declare}` : suggest(value, valid)),
  };
}
