import { accessEntries } from '../access-words.ts';
import { comparedIn, covers } from '../covers.ts';
import { type Entry, isOfKind } from '../entry.ts';
import type { RelationSchema } from '../keys/relation.ts';
import type { Operation } from '../language.ts';
import { spellWho } from '../spell-entry.ts';
import { type Facts, findKeyOfUser, type ModelFacts, findModelFacts, modelRule } from '../facts.ts';
import { findMembers } from '../members.ts';
import { isOpenTo, isServed } from '../reach.ts';

/** The operations by which others reach an existing row. */
const ways = ['update', 'delete', 'restore', 'read', 'list'] as const;

/** By changing a key, people who may not delete a row could hide it from those who reach it over that key. */
export const rowsAreNotTakenAway = modelRule((model, report, facts) => {
  const { name, schema } = model;
  if (!isServed('update', schema)) return;
  const of = (operation: Operation) => accessEntries(schema, operation);
  const compared = comparedIn(schema, 'delete');
  const takers = of('update').filter(
    (entry) =>
      !entry.only &&
      isOfKind(entry, 'owner', 'is') &&
      !of('delete').some((each) => covers(each, entry, compared)),
  );
  for (const key of schema.relations.filter((each) => isFreeKey(each, model, facts))) {
    const { value: relation, at } = key.name;
    const via = ways.flatMap(of).find((each) => isVia(each, relation));
    const narrowing = of('update').filter(({ only }) => only);
    const taker = takers.find((each) => ![each, ...narrowing].some((it) => binds(it, relation)));
    if (via === undefined || taker === undefined) continue;
    const [way, who] = [via, taker].map(spellWho);
    const bound = findKeyOfUser(key.to.value, facts);
    report({
      code: 'SCF724',
      severity: 'warning',
      at,
      message: `\`${who}\` may not delete rows of ${name}, but by changing \`${relation}\` can hide them from everyone \`${way}\` admits`,
      help: `say who may change it: \`write: ${way}\` at ${name}.${relation}${bound === undefined ? '' : `, or say where it may lead: \`${who} then ${relation} = me.${bound}\``}`,
    });
  }
});

/** Whether clients who may change the key can point it at any row, or at one that they create. */
function isFreeKey(key: RelationSchema, model: ModelFacts, facts: Facts): boolean {
  const there = findModelFacts(model, key.name.value, facts);
  const isSettled = key.write !== undefined || key.among !== undefined;
  if (there === undefined || there.isUser || isSettled) return false;
  // Rows that make members have a check of their own.
  const kinds = there.schema.members.map((kind) => findMembers(kind, facts));
  if (kinds.some((kind) => kind?.by === model && kind.of === key)) return false;
  return (['refer', 'create'] as const).some((each) =>
    isOpenTo(each, there.schema, { kind: 'authenticated' }),
  );
}

const isVia = (entry: Entry, relation: string) =>
  entry.kind === 'via' && entry.relation === relation;

/** Whether an entry restricts where the key may lead after the change. */
const binds = (entry: Entry, relation: string) =>
  entry.only
    ? isVia(entry, relation) || (entry.if ?? []).some(({ path: [first] }) => first === relation)
    : (entry.after ?? []).some(({ path: [first] }) => first === relation);
