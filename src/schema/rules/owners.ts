import { inTicks } from '../../words.ts';
import { suggest } from '../suggest.ts';
import type { RelationSchema } from '../keys/relation.ts';
import { accessEntries } from '../access-words.ts';
import type { ModelSchema } from '../keys/model.ts';
import { endpointNames } from '../language.ts';
import { accessKeywords as keywords, type Entry } from '../entry.ts';
import { spellEntry } from '../spell-entry.ts';
import { findByName, modelRule, type Facts, type ModelFacts, toOneRelations } from '../facts.ts';
import { checkWords } from '../scope.ts';
import { unknownWord } from '../written-rules.ts';
import { isUserName } from '../user.ts';

/** The owner is the user of the token, so the relation must lead to one user. */
export const ownerIsUser = modelRule(({ name: model, schema, isUser }, report, { byName }) => {
  const owner = schema.owner?.relation;
  if (owner === undefined) return;
  const candidates = toOneRelations(schema)
    .filter(({ to }) => isUserName(to))
    .map(({ name }) => name.value);
  const relation = findByName(owner.value, schema.relations);
  const flaw = isUser ? 'users own themselves' : ownerFlaw(relation, owner.value);
  // Another rule reports the unknown model.
  const isReported = relation !== undefined && !byName.has(relation.to.value);
  if (flaw === undefined || (isReported && !isUser)) return;
  const message = `${model} cannot be owned through \`${owner.value}\`: ${flaw}`;
  const help = isUser
    ? 'remove it, and use `self` in `access`'
    : suggest(owner.value, candidates) || 'declare one under `relations:`, like `author: User`';
  report({ code: 'SCF304', at: owner.at, message, help });
});

function ownerFlaw(relation: RelationSchema | undefined, owner: string): string | undefined {
  if (relation === undefined) return `there is no relation \`${owner}\``;
  if (relation.many) return 'it leads to many rows';
  return isUserName(relation.to) ? undefined : `it leads to ${relation.to.value}, not to User`;
}

export const assignersAreRoles = modelRule((model, report, facts) => {
  const findWordFlaw = (role: string) => assignerFlaw(role, model, facts);
  const words = model.schema.owner?.assign ?? [];
  checkWords({ words, title: `assign of ${model.name}`, code: 'SCF706' }, findWordFlaw, report);
});

export const somebodyAssigns = modelRule(({ name, schema: { owner } }, report) => {
  if (owner?.assign?.length !== 0) return;
  const message = `assign of ${name} names nobody`;
  const help = 'write `admin` for administrators only, or leave `assign` out';
  report({ code: 'SCF706', at: owner.relation.at, message, help });
});

export const creatorsCanBeOwners = modelRule(({ name, schema: { owner, access } }, report) => {
  const stranger = access.create?.find(({ value }) => value === 'public');
  if (owner?.assign === undefined || stranger === undefined) return;
  const message = `\`public\` may create ${name} without an owner, but \`assign\` needs one`;
  const help = 'write `create: authenticated`, or leave `assign` out';
  report({ code: 'SCF710', at: stranger.at, message, help });
});

function assignerFlaw(value: string, model: ModelFacts, facts: Facts) {
  if (facts.roles.includes(value)) return undefined;
  if (!keywords.includes(value)) return unknownWord(value, model, facts);
  const message = `\`${value}\` cannot assign owners of ${model.name}`;
  const help = `name roles: ${facts.roles.join(', ')}`;
  return { code: 'SCF710', message, help };
}

/**
 * A role that gains nothing from owning a row probably enters rows for others, who would not become their owners: the
 * clerk who enters a customer's payment would be its payer.
 */
export const creatorsOwnOrAssign = modelRule(({ name, schema }, report, { roles }) => {
  const { owner } = schema;
  if (owner === undefined) return;
  const assigning = owner.assign?.map(({ value }) => value) ?? [];
  const staff = roles.filter(
    (role) =>
      role !== 'admin' &&
      !assigning.includes(role) &&
      isRoleAdmitted(role, accessEntries(schema, 'create')) &&
      gainsNothing(role, schema),
  );
  if (staff.length === 0) return;
  const relation = owner.relation.value;
  const assign = [...assigning, ...staff];
  const message = `${inTicks(staff).join(' and ')} may create ${name}, but only with themselves as its ${relation}`;
  const help = `if they enter rows for others, let them name the owner: \`owner: { relation: ${relation}, assign: [${assign.join(', ')}] }\``;
  report({ code: 'SCF711', severity: 'warning', at: owner.relation.at, message, help });
});

/** Whether the role may do everything that an owner may. */
function gainsNothing(role: string, schema: ModelSchema): boolean {
  const owned = endpointNames
    .filter((name) => name !== 'create')
    .map((name) => accessEntries(schema, name));
  const forOwners = owned.filter((rule) => rule.some((entry) => spellEntry(entry) === 'owner'));
  return forOwners.length > 0 && forOwners.every((rule) => isRoleAdmitted(role, rule));
}

const isRoleAdmitted = (role: string, rule: readonly Entry[]) =>
  ['public', 'authenticated', role].some((word) =>
    rule.some((entry) => spellEntry(entry) === word),
  );
