import { accessEntries, ruleEntries } from '../access-words.ts';
import { isOfKind } from '../entry.ts';
import { findByName, type Facts, type ModelFacts, modelRule, type MemberRows } from '../facts.ts';
import { writtenRules } from '../written-rules.ts';
import { findMembers } from '../members.ts';
import { isOpenTo, isServed } from '../reach.ts';

/** `shares Team` admits the members of a team to each other, so nobody should become a member without being asked. */
export const sharingIsAgreed = modelRule((user, report, facts) => {
  if (!user.isUser) return;
  const warned = new Set<string>();
  for (const written of writtenRules(user).flatMap(({ rule }) => rule)) {
    for (const entry of ruleEntries([written], user.schema)) {
      if (entry.kind !== 'shares' || warned.has(entry.model)) continue;
      const [kind] = unasked(entry.model, user, facts);
      if (kind === undefined) continue;
      warned.add(entry.model);
      const { word, by } = kind;
      const message = `\`shares ${entry.model}\` of User lets members see each other, but whoever creates a ${entry.model} can add any user without asking`;
      const help = `count only those who accepted: \`if: accepted = true\` at \`${word}\` of ${entry.model}, and \`accepted: { type: bool, default: false, write: is ${kind.user} }\` in ${by.name}`;
      report({ code: 'SCF724', severity: 'warning', at: written.at, message, help });
    }
  }
});

/** Kinds of members that the creator of a row can add any user to. */
function unasked(name: string, user: ModelFacts, facts: Facts) {
  const there = facts.byName.get(name);
  const everybody = { kind: 'authenticated' } as const;
  const mayAdd =
    there !== undefined &&
    isServed('create', there.schema) &&
    isOpenTo('create', there.schema, everybody) &&
    isOpenTo('refer', user.schema, everybody);
  if (!mayAdd) return [];
  return there.schema.members.flatMap((kind) => {
    const found = findMembers(kind, facts);
    if (found?.user === undefined || !isMadeThere(found) || isAgreed(found)) return [];
    return [{ word: kind.word.value, by: found.by, user: found.user.name.value }];
  });
}

/** Whether the creator of a row can also add members to it. */
function isMadeThere({ by: { schema }, of }: MemberRows): boolean {
  const entries = accessEntries(schema, 'create');
  return (
    isServed('create', schema) &&
    entries.every(({ only }) => !only) &&
    entries.some(
      (entry) =>
        entry.kind === 'authenticated' ||
        (entry.kind === 'via' && entry.relation === of.name.value),
    )
  );
}

/** Whether a member counts only once the user, or somebody with a role, has confirmed it. */
function isAgreed({ by: { schema }, condition }: MemberRows): boolean {
  return condition.some(({ path: [first] }) => {
    const field = findByName(first, schema.fields);
    if (field?.readonly === true) return true;
    const writers = field?.write && ruleEntries(field.write, schema);
    return writers?.every((entry) => isOfKind(entry, 'is', 'link', 'role')) ?? false;
  });
}
