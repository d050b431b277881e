import { defaultAccess } from '../default-access.ts';
import type { EndpointName, Located, ModelSchema } from '../schema.ts';
import { repeated, unknownWord } from './access.ts';
import type { Facts, ModelFacts, Rule } from './facts.ts';

/** Who names another user as the owner of a row is known by a role. */
export const assignersAreRoles: Rule = (facts, report) => {
  for (const model of facts.models) {
    const { owner, access } = model.schema;
    const roles = owner?.assign ?? [];
    if (owner?.assign?.length === 0) {
      const message = `assign of ${model.name} names nobody`;
      const help = 'write `admin` for administrators only, or leave `assign` out';
      report({ code: 'SCF706', at: owner.relation.at, message, help });
    }
    for (const [index, role] of roles.entries()) {
      const twice = roles.findIndex(({ value }) => value === role.value) < index;
      const problem = twice
        ? repeated(role, `assign of ${model.name}`)
        : assignerProblem(role, model, facts);
      if (problem !== undefined) report({ at: role.at, ...problem });
    }
    const stranger = access.create?.find(({ who }) => who.value === 'public')?.who;
    if (owner?.assign !== undefined && stranger !== undefined) {
      const message = `\`public\` may create ${model.name}, whose owner nobody would be, and \`assign\` wants one`;
      const help = 'write `create: authenticated`, or leave `assign` out';
      report({ code: 'SCF710', at: stranger.at, message, help });
    }
  }
};

function assignerProblem({ value }: Located<string>, model: ModelFacts, facts: Facts) {
  if (facts.roles.includes(value)) return undefined;
  if (!['public', 'authenticated', 'owner', 'self'].includes(value)) {
    return unknownWord(value, model, facts);
  }
  return {
    code: 'SCF710',
    message: `\`${value}\` cannot assign owners of ${model.name}`,
    help: `name roles: ${facts.roles.join(', ')}`,
  };
}

const operations: readonly EndpointName[] = ['list', 'read', 'update', 'delete'];

/**
 * A role to which owning a row gives nothing enters rows of other people, who do not become their owners: a clerk who
 * enters the payment of a customer would be its payer.
 */
export const creatorsOwnOrAssign: Rule = ({ models, roles }, report) => {
  for (const { name, schema } of models) {
    const { owner } = schema;
    if (owner === undefined) continue;
    const assigning = owner.assign?.map(({ value }) => value) ?? [];
    const staff = roles.filter(
      (role) =>
        role !== 'admin' &&
        !assigning.includes(role) &&
        isAdmitted(role, wordsOf(schema, 'create')) &&
        ownsInVain(role, schema),
    );
    if (staff.length === 0) continue;
    const relation = owner.relation.value;
    const assign = [...assigning, ...staff];
    report({
      code: 'SCF711',
      severity: 'warning',
      at: owner.relation.at,
      message: `${quoted(staff)} may create ${name}, and become its ${relation}, which gives them nothing`,
      help: `let them name somebody else: \`owner: { relation: ${relation}, assign: [${assign.join(', ')}] }\``,
    });
  }
};

const quoted = (roles: readonly string[]) => roles.map((role) => `\`${role}\``).join(' and ');

/** Where the owner of a row is admitted, the role is so to all of them. */
function ownsInVain(role: string, schema: ModelSchema): boolean {
  const owned = operations.map((operation) => wordsOf(schema, operation));
  const forOwners = owned.filter((words) => words.includes('owner'));
  return forOwners.length > 0 && forOwners.every((words) => isAdmitted(role, words));
}

const isAdmitted = (role: string, words: readonly string[]) =>
  ['public', 'authenticated', role].some((word) => words.includes(word));

function wordsOf(schema: ModelSchema, operation: EndpointName): readonly string[] {
  const { list, read } = schema.access;
  const written = operation === 'list' ? (list ?? read) : schema.access[operation];
  return written?.map(({ who }) => who.value) ?? defaultAccess(schema)[operation];
}
