import { memberWords } from '../access-words.ts';
import { findConditionFlaw } from '../condition-flaws.ts';
import { type Entry, isOfKind, type Who } from '../entry.ts';
import { spellWho } from '../spell-entry.ts';
import {
  type Facts,
  findByName,
  findKeyOfUser,
  type ModelFacts,
  modelRule,
  toOneRelations,
} from '../facts.ts';
import type { Operation } from '../language.ts';
import { findMembers } from '../members.ts';
import { parseEntry } from '../parse-entry.ts';
import { checkWords, type CodedFlaw, isFlaw } from '../scope.ts';
import { suggest } from '../suggest.ts';
import { unknownWord, writtenRules } from '../written-rules.ts';
import { isUserName } from '../user.ts';

export const accessWordsAreKnown = modelRule((model, report, facts) => {
  for (const { title, key, operation, rule } of writtenRules(model)) {
    const findWordFlaw = (word: string) => entryFlaw(word, model, operation, facts);
    checkWords({ words: rule, title: `${key} of ${title}`, code: 'SCF706' }, findWordFlaw, report);
  }
});

/** Absent for the rule of a field. */
function entryFlaw(
  text: string,
  model: ModelFacts,
  operation: Operation | 'all' | undefined,
  facts: Facts,
): CodedFlaw | undefined {
  const entry = parseEntry(text, memberWords(model.schema));
  if (isFlaw(entry)) return { code: 'SCF712', ...entry };
  const flaw =
    entry.kind === 'members'
      ? membersFlaw(entry, operation, model, facts)
      : wordFlaw(entry, model, facts);
  const wrong = flaw ?? relationFlaw(entry, model);
  if (wrong !== undefined) return wrong;
  if (entry.after !== undefined && operation !== 'update') {
    const message = '`then` is only for `update`: it checks the row after the change';
    const help = 'write the condition after `if`';
    return { code: 'SCF712', message, help };
  }
  return (
    findConditionFlaw([...(entry.if ?? []), ...(entry.after ?? [])], model, facts) ??
    (operation === 'create' ? creationFlaw(entry, model) : undefined) ??
    (operation === 'restore' && entry.kind === 'link' ? restoreByLink(model.name) : undefined)
  );
}

function wordFlaw(entry: Entry, model: ModelFacts, facts: Facts): CodedFlaw | undefined {
  const { name, schema, isUser } = model;
  const { kind: value } = entry;
  if (entry.kind === 'role')
    return facts.roles.includes(entry.role) ? undefined : unknownWord(entry.role, model, facts);
  if (entry.kind === 'shares') return isUser ? sharesFlaw(entry.model, facts) : sharesElsewhere;
  if (value === 'link' && schema.link === undefined) {
    const help = 'name its secret: `link: token`';
    return { code: 'SCF721', message: `${name} has no link`, help };
  }
  if (value === 'self' && !isUser) {
    const message = `\`self\` has no meaning on ${name}`;
    const help = 'it is for `User`; use `owner` for rows that belong to someone';
    return { code: 'SCF703', message, help };
  }
  if (value === 'owner' && schema.owner === undefined) {
    const help = isUser
      ? 'write `self`: the user whose row it is'
      : 'name the relation to the owner: `owner: author`';
    return { code: 'SCF702', message: `${name} has no owner`, help };
  }
  return undefined;
}

const restoreByLink = (name: string): CodedFlaw => ({
  code: 'SCF721',
  message: `\`link\` cannot restore ${name}: a link ends when its row is deleted`,
  help: 'name somebody with an account',
});

/** A row has no owner before it exists, and an anonymous client cannot own one. */
function creationFlaw(entry: Entry, { name, schema }: ModelFacts): CodedFlaw | undefined {
  if (entry.only) return undefined;
  if (isOfKind(entry, 'owner', 'self', 'link', 'shares')) {
    const help = 'write `authenticated`: whoever creates a row becomes its owner';
    const message = `\`${spellWho(entry)}\` cannot create ${name}: the row does not exist yet`;
    return { code: 'SCF705', message, help };
  }
  const owner = findByName(schema.owner?.relation.value, schema.relations);
  if (entry.kind !== 'public' || owner === undefined || owner.optional) return undefined;
  const message = `\`public\` cannot create ${name}: a row needs an owner, and an anonymous client has no account`;
  const help = `write \`authenticated\`, or make the owner optional: \`${owner.name.value}: User?\``;
  return { code: 'SCF705', message, help };
}

/** `shares Organisation` is only for `User`, and names a model with members. */
const sharesElsewhere: CodedFlaw = {
  code: 'SCF703',
  message: '`shares` is about users',
  help: 'use it on `User`; here, follow a relation to one: `via author`',
};

function sharesFlaw(name: string, facts: Facts): CodedFlaw | undefined {
  const target = facts.byName.get(name);
  if (target !== undefined && target.schema.members.length > 0) return undefined;
  const valid = facts.models.filter(({ schema }) => schema.members.length > 0).map((it) => it.name);
  const relation = findKeyOfUser(name, facts);
  const compared = `write \`authenticated if ${relation} = me.${relation}\``;
  return {
    code: 'SCF712',
    message: target === undefined ? `there is no model \`${name}\`` : `${name} has no members`,
    help:
      relation === undefined ? suggest(name, valid) || 'say who they are: `members:`' : compared,
  };
}

/** An entry of a rule: `member(manager)`. */
function membersFlaw(
  { word, roles }: Extract<Who, { kind: 'members' }>,
  operation: Operation | 'all' | undefined,
  model: ModelFacts,
  facts: Facts,
): CodedFlaw | undefined {
  const kind = model.schema.members.find((each) => each.word.value === word);
  if (kind === undefined) {
    const help =
      suggest(word, memberWords(model.schema)) ||
      `say who they are: \`members: { ${word}: Membership }\``;
    return { code: 'SCF712', message: `${model.name} has no members \`${word}\``, help };
  }
  if (operation === 'create') {
    const message = `\`${word}\` cannot create ${model.name}: a row has no members before it exists`;
    return { code: 'SCF705', message, help: 'write `authenticated`, or a role' };
  }
  const known = findMembers(kind, facts)?.roles ?? roles;
  const wrong = roles.find((role) => !known.includes(role));
  if (wrong === undefined) return undefined;
  const help = suggest(wrong, known) || `give ${kind.by.value} a field \`role\` of an enum`;
  return { code: 'SCF712', message: `\`${wrong}\` is not a role of \`${word}\``, help };
}

function relationFlaw(entry: Entry, model: ModelFacts): CodedFlaw | undefined {
  if (entry.kind !== 'is' && entry.kind !== 'via') return undefined;
  const { name, schema } = model;
  const leading = toOneRelations(schema).filter(({ to }) => entry.kind === 'via' || isUserName(to));
  const valid = leading.map((relation) => relation.name.value);
  if (valid.includes(entry.relation)) return undefined;
  const wanted = entry.kind === 'is' ? 'to-one relation to `User`' : 'to-one relation';
  const message = `${name} has no ${wanted} \`${entry.relation}\``;
  const help = suggest(entry.relation, valid) || `give ${name} one under \`relations:\``;
  return { code: 'SCF712', message, help };
}
