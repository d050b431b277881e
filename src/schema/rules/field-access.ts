import { accessEntries, ruleEntries } from '../access-words.ts';
import { isOfAdmins } from '../covers.ts';
import { type Entry, isOfKind } from '../entry.ts';
import { spellWho } from '../spell-entry.ts';
import { modelRule, type ModelFacts } from '../facts.ts';
import { fieldRules, type PropertySchema } from '../written-rules.ts';

/** A rule has no effect on a field that nobody can read or write anyway. */
export const fieldRulesSaySomething = modelRule((model, report) => {
  for (const { member, key } of fieldRules(model)) {
    const flaw = member[key] && (key === 'read' ? unseen(member) : unwrittenFlaw(member, model));
    if (flaw === undefined) continue;
    const path = `${model.name}.${member.name.value}`;
    const at = member.keysAt?.[key] ?? member.name.at;
    report({ code: 'SCF707', at, message: `${path}: ${flaw.message}`, help: flaw.help });
  }
});

function unseen(member: PropertySchema) {
  const isHidden = 'hidden' in member && member.hidden === true;
  if (!isHidden) return undefined;
  return { message: 'nobody can read a `hidden` field', help: 'remove `hidden`, or `read`' };
}

function unwrittenFlaw(member: PropertySchema, { schema }: ModelFacts) {
  if ('readonly' in member && member.readonly === true) {
    const message = 'only the server writes a `readonly` field';
    return { message, help: 'remove `readonly`, or `write`' };
  }
  if ('through' in member && member.through !== undefined) {
    const message = `its pairs are rows of ${member.through.value}, with the access of that model`;
    return { message, help: `give \`access\` to ${member.through.value} instead` };
  }
  const { name } = member;
  if ('type' in member || schema.owner?.relation.value !== name.value) return undefined;
  const help = `say who may name another owner: \`owner: { relation: ${name.value}, assign: … }\``;
  return { message: 'the owner of a new row is the user who creates it', help };
}

/** Everybody who may create a row has to be able to write its required fields. */
export const creatorsCanWriteWhatIsRequired = modelRule(({ name, schema, isUser }, report) => {
  const signsUp: readonly Entry[] = isUser ? [{ kind: 'self' }] : [];
  const creators = [...accessEntries(schema, 'create'), ...signsUp];
  for (const member of [...schema.fields, ...schema.relations]) {
    const { write } = member;
    const isOwner = schema.owner?.relation.value === member.name.value;
    if (write === undefined || isOwner || !isRequiredMember(member)) continue;
    const rule = ruleEntries(write, schema);
    const barred = creators.find((creator) => !mayCreatorWrite(creator, rule));
    if (barred === undefined) continue;
    const who = barred.kind === 'self' ? 'whoever signs up' : `\`${spellWho(barred)}\``;
    const message = `${name}.${member.name.value} is required, but ${who} may not write it when creating ${name}`;
    const help = 'give it a default, make it optional, or let them write it';
    report({ code: 'SCF708', at: member.keysAt?.write ?? member.name.at, message, help });
  }
});

function isRequiredMember(member: PropertySchema): boolean {
  if (member.optional) return false;
  return 'type' in member ? member.default === undefined : !member.many;
}

/**
 * Whether the creator of a row, who owns it or is the user, may write a field. Rules about other rows count as a yes.
 */
function mayCreatorWrite(creator: Entry, rule: readonly Entry[]): boolean {
  if (isOfAdmins(creator) || [creator, ...rule].some(isLater)) return true;
  const words = creator.kind === 'public' ? ['public'] : ['public', 'authenticated', 'owner'];
  return rule.some((entry) => [...words, spellWho(creator)].includes(spellWho(entry)));
}

const isLater = (entry: Entry) => entry.only || isOfKind(entry, 'is', 'via', 'shares');
