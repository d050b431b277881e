import type { RelationSchema } from '../keys/relation.ts';
import {
  type Facts,
  type ModelFacts,
  type SchemaRule,
  toOneRelations,
  type MemberRows,
} from '../facts.ts';
import { findMembers } from '../members.ts';

/** Members that are deleted with a row are looked up in advance. In a circle, that could take any number of steps. */
export const takenMembersAreFound: SchemaRule = (facts, report) => {
  const reported = new Set<RelationSchema>();
  for (const model of facts.models) {
    for (const kind of model.schema.members) {
      const found = findMembers(kind, facts);
      const isKept = kind.first !== undefined || (found?.role && found.role.write === undefined);
      const circle = found && isKept ? circleAround(found, facts) : undefined;
      if (found === undefined || circle === undefined || reported.has(circle.relation)) continue;
      const { of, relation } = circle;
      reported.add(relation);
      const message = `${model.name}.members.${kind.word.value}: ${found.by.name} is deleted with ${of}, and ${of} with ${relation.to.value}, in a circle: the server could not find the affected members in advance`;
      const help = `write \`on_delete: restrict\` at ${of}.${relation.name.value}`;
      report({ code: 'SCF716', at: relation.onDelete?.at ?? relation.name.at, message, help });
    }
  }
};

/** A relation of a circle of cascades to the rows that make members, not counting their own group. */
function circleAround({ by, of }: MemberRows, facts: Facts) {
  const first = cascades(by).filter((relation) => relation !== of);
  return [...deletedWith(first, facts)].flatMap((model) =>
    cascades(model)
      .filter((relation) => deletedWith([relation], facts).has(model))
      .map((relation) => ({ of: model.name, relation })),
  )[0];
}

const cascades = ({ schema }: ModelFacts) =>
  toOneRelations(schema).filter(({ onDelete }) => onDelete?.value === 'cascade');

/** The models to which relations lead, and those that take their rows along. */
function deletedWith(relations: readonly RelationSchema[], facts: Facts): ReadonlySet<ModelFacts> {
  const all = new Set(relations.flatMap(({ to }) => facts.byName.get(to.value) ?? []));
  for (const model of all)
    for (const { to } of cascades(model)) {
      const there = facts.byName.get(to.value);
      if (there !== undefined) all.add(there);
    }
  return all;
}
