import { present } from '../../present.ts';
import { type Comparison, type Who } from '../entry.ts';
import { parseCondition } from '../parse-entry.ts';
import { memberWords } from '../access-words.ts';
import type { FieldSchema } from '../keys/field.ts';
import type { MembersSchema } from '../keys/people.ts';
import type { RelationSchema } from '../keys/relation.ts';
import { type Flaw, isFlaw, type CodedFlaw } from '../scope.ts';
import { suggest } from '../suggest.ts';
import { accessKeywords, conditionFlaw } from './access-entries.ts';
import { ofModels, type Facts, type ModelFacts, toOnes } from '../facts.ts';
import { isWrittenBySelf } from './own-values.ts';

/** The relations and fields of the model whose rows name the members. */
export interface MemberRows {
  readonly by: ModelFacts;
  /** The relation to what they are members of, and to the member; a model with a link needs no user. */
  readonly of: RelationSchema;
  readonly user?: RelationSchema;
  /** An enum, whose values are the roles, from the lowest up. */
  readonly role?: FieldSchema;
  readonly roles: readonly string[];
  readonly condition: readonly Comparison[];
}

/** Undefined for a schema that was refused. */
export function findMembers(
  kind: MembersSchema,
  model: ModelFacts,
  facts: Pick<Facts, 'byName' | 'enums'>,
): MemberRows | undefined {
  const found = findMemberRows(kind, model, facts);
  return isFlaw(found) ? undefined : found;
}

function findMemberRows(
  { by: written, if: condition }: MembersSchema,
  { name }: ModelFacts,
  { byName, enums }: Pick<Facts, 'byName' | 'enums'>,
): MemberRows | Flaw {
  const [type = '', person] = written.value.split('.');
  const by = byName.get(type);
  if (by === undefined)
    return { message: `there is no model \`${type}\``, help: suggest(type, [...byName.keys()]) };
  const keys = toOnes(by.schema);
  const users = keys.filter(({ to, name: key }) =>
    person === undefined ? to.value === 'User' : to.value === 'User' && key.value === person,
  );
  const [user] = users;
  const rows = keys.filter((key) => key.to.value === name && key !== user);
  const [of] = rows;
  const isNamed = user !== undefined || (by.schema.link !== undefined && person === undefined);
  if (of === undefined || !isNamed) {
    const help = `give ${type} a to-one relation to each`;
    return { message: `${type} does not lead to ${name} and to \`User\``, help };
  }
  if (users.length > 1) {
    const names = users.map((key) => `\`${type}.${key.name.value}\``).join(' or ');
    return { message: `${type} leads to several users`, help: `write which one: ${names}` };
  }
  if (rows.length > 1) {
    const help = `keep one, and the others in a model of their own`;
    return { message: `${type} leads to several rows of ${name}`, help };
  }
  if (user?.index === false && !isIndexedBy(by, user)) {
    const path = `${type}.${user.name.value}`;
    return { message: `members are looked up by ${path}, which has no index`, help: 'index it' };
  }
  const role = by.schema.fields.find((it) => it.name.value === 'role' && enums.has(it.type.value));
  const roles = role === undefined ? [] : (enums.get(role.type.value) ?? []);
  const counted = condition === undefined ? [] : parseCondition(condition.value);
  if (isFlaw(counted)) return counted;
  return { by, of, roles, condition: counted, ...present({ user, role }) };
}

const isIndexedBy = ({ schema }: ModelFacts, { name }: RelationSchema) =>
  [
    ...schema.unique,
    ...schema.indexes.map((it) => ({ ...it, keys: it.keys.map(({ field }) => field) })),
  ].some(({ keys: [first], where }) => where === undefined && first?.value === name.value);

export const membersAreFound = ofModels((model, report, facts) => {
  for (const kind of model.schema.members) {
    const path = `${model.name}.members.${kind.word.value}`;
    const wrong = wordFlaw(kind, facts);
    if (wrong !== undefined) {
      report({ code: 'SCF716', at: kind.word.at, ...wrong });
      continue;
    }
    const found = findMemberRows(kind, model, facts);
    const flaw = isFlaw(found)
      ? found
      : (sameForAllFlaw(found.condition, found.by, facts) ?? ownRowFlaw(found));
    if (flaw === undefined) continue;
    const at = isFlaw(found) ? kind.by.at : (kind.if ?? kind.by).at;
    report({ ...flaw, code: 'SCF716', at, message: `${path}: ${flaw.message}` });
  }
});

/** Words that `policy.ts` has taken. */
const taken = 'everyone me members mine not over role when'.split(' ');

function wordFlaw({ word: { value } }: MembersSchema, { roles, models }: Facts): Flaw | undefined {
  const message = `\`${value}\` cannot be a word for members`;
  const help = 'choose another one, like `member`';
  if (!/^[a-z][a-z0-9]*$/.test(value)) return { message, help: 'use lowercase letters and digits' };
  const resources = models.map(({ names }) => names.variablePlural);
  const isTaken = [...accessKeywords, ...taken, ...roles, ...resources].includes(value);
  return isTaken ? { message: `${message}: it has a meaning of its own`, help } : undefined;
}

/** Users change their own row at `/auth/me`, whatever the rules say of such rows. */
function ownRowFlaw({ by, of, user }: MemberRows): Flaw | undefined {
  if (!by.isUser) return undefined;
  const own = [of, ...(user ? [user] : [])].find((key) => isWrittenBySelf(key.write, by.schema));
  if (own === undefined) return undefined;
  const path = `User.${own.name.value}`;
  const message = `users can set ${path} themselves, and so make themselves members`;
  return { message, help: `say who gives it to them: \`write: admin\` at ${path}` };
}

/** The flaw of a condition that must not depend on who asks. */
export function sameForAllFlaw(
  condition: readonly Comparison[],
  model: ModelFacts,
  facts: Facts,
): Flaw | undefined {
  const isMine = condition.some(({ values }) => values.some(({ kind }) => kind === 'me'));
  if (isMine) {
    const message = '`me` cannot be used here: this condition must not depend on who is asking';
    return { message, help: 'compare with a value, or with `now`' };
  }
  return conditionFlaw(condition, model, facts);
}

/** An entry of a rule: `member(manager)`. */
export function membersFlaw(
  { word, roles }: Extract<Who, { kind: 'members' }>,
  isCreated: boolean,
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
  if (isCreated) {
    const message = `\`${word}\` cannot create ${model.name}: a row has no members before it exists`;
    return { code: 'SCF705', message, help: 'write `authenticated`, or a role' };
  }
  const known = findMembers(kind, model, facts)?.roles ?? roles;
  const wrong = roles.find((role) => !known.includes(role));
  if (wrong === undefined) return undefined;
  const help = suggest(wrong, known) || `give ${kind.by.value} a field \`role\` of an enum`;
  return { code: 'SCF712', message: `\`${wrong}\` is not a role of \`${word}\``, help };
}

/** The value of a field of which a comparison holds, as it is written; null for none. */
export function setBy({ path, operator, values }: Comparison): string | null | undefined {
  if (path.length > 1) return undefined;
  if (operator === 'is null') return null;
  const [value] = operator === '=' || operator === 'in' ? values : [];
  return value?.kind === 'literal' ? value.text : undefined;
}
