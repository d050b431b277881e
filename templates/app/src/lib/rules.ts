import type { Rule } from './access.ts';
import type { Relation, Resource } from './resource.ts';
import type { Selection } from './selection.ts';

/** The rules that decide what can be seen over a relation. */
export function relationRules(relation: Relation): readonly Rule[] {
  const rules = [relation.to().policy.read];
  if (relation.kind === 'links' && relation.through) rules.push(relation.through().policy.read);
  return rules;
}

/** The rules that decide what can be seen of the rows that a selection lists or embeds. */
export function selectionRules(
  { relations }: Resource,
  { links, embedded }: Selection,
): readonly Rule[] {
  const listed = links.flatMap((name) => (relations[name] ? relationRules(relations[name]) : []));
  const within = embedded.flatMap(({ relation: name, selection }) => {
    const relation = relations[name];
    return relation
      ? [...relationRules(relation), ...selectionRules(relation.to(), selection)]
      : [];
  });
  return [...listed, ...within];
}
