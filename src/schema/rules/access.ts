import { type Entry, isFlawed, parseEntry } from '../entry.ts';
import { foreignViewers } from '../foreign-words.ts';
import { accessWords, memberWords } from '../access-words.ts';
import type { FieldSchema } from '../keys/field.ts';
import type { ModelSchema } from '../keys/model.ts';
import type { RuleSchema } from '../keys/people.ts';
import type { RelationSchema } from '../keys/relation.ts';
import { endpointNames, type Operation, operations } from '../language.ts';
import type { Report, Wording } from '../shape.ts';
import { nearestTo, suggest } from '../suggest.ts';
import { accessKeywords as keywords, partsFlaw } from './access-entries.ts';
import { declaredRoles, type Facts, type ModelFacts, type Rule } from './facts.ts';
import { sharesFlaw } from './links.ts';
import { membersFlaw } from './members.ts';

const builtInRoles = ['user', 'admin'];

export const rolesAreNames: Rule = ({ schema }, report) => {
  const seen = new Set<string>();
  for (const { value, at } of declaredRoles(schema)) {
    const flaw = roleFlaw(value, seen);
    seen.add(value.toLowerCase());
    if (flaw !== undefined) {
      const role = value === '' ? 'an empty string' : `\`${value}\``;
      const help = 'remove it, or choose another name';
      report({ code: 'SCF704', at, message: `${role} cannot be a role: ${flaw}`, help });
    }
  }
};

function roleFlaw(role: string, seen: ReadonlySet<string>): string | undefined {
  const folded = role.toLowerCase();
  if (builtInRoles.includes(folded)) return 'it always exists, so it is not listed';
  if (keywords.includes(folded)) return 'the word has a meaning of its own in `access`';
  if (['undefined', 'null'].includes(folded)) return 'it is a reserved word';
  if (seen.has(folded)) return 'it is listed twice';
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(role))
    return 'a letter comes first, then letters, digits and `_`';
  return role.length > 63 ? 'it has more than 63 characters' : undefined;
}

export const accessWordsAreKnown: Rule = (facts, report) => {
  for (const model of facts.models) {
    const { schema, name } = model;
    for (const operation of [...operations, 'all'] as const) {
      const flawOf = (word: string) =>
        entryFlaw(word, { model, operation, facts }) ??
        (operation === 'create' ? creationFlaw(whoIn(word), model) : undefined);
      checkWords(schema.access[operation], `${operation} of ${name}`, flawOf, report);
    }
    for (const { member, key } of fieldRules(model)) {
      const flawOf = (word: string) => entryFlaw(word, { model, facts });
      checkWords(member[key], `${key} of ${name}.${member.name.value}`, flawOf, report);
    }
  }
};

type Member = FieldSchema | RelationSchema;

/** Who reads and who writes each field and relation, be it said or not. */
function fieldRules({ schema }: ModelFacts) {
  const members: readonly Member[] = [...schema.fields, ...schema.relations];
  return members.flatMap((member) => (['read', 'write'] as const).map((key) => ({ member, key })));
}

/** Reports each word that has a flaw, and each that stands there already; `title` is how a message speaks of the rule. */
function checkWords(
  rule: RuleSchema = [],
  title: string,
  flawOf: (word: string) => Wording | undefined,
  report: Report,
): void {
  const seen = new Set<string>();
  for (const { value, at } of rule) {
    const message = `${title} names \`${value}\` twice`;
    const flaw = seen.has(value)
      ? { code: 'SCF706', message, help: 'remove one of them' }
      : flawOf(value);
    seen.add(value);
    if (flaw !== undefined) report({ at, ...flaw });
  }
}

interface EntryScope {
  readonly model: ModelFacts;
  readonly facts: Facts;
  /** Absent in a rule of a field. */
  readonly operation?: Operation | 'all';
}

function entryFlaw(text: string, { model, facts, operation }: EntryScope): Wording | undefined {
  const entry = parseEntry(text, memberWords(model.schema));
  if (isFlawed(entry)) return { code: 'SCF712', ...entry };
  if (entry.kind === 'members') {
    const flaw = membersFlaw(entry, operation === 'create', model, facts);
    return flaw ?? partsFlaw(entry, model, operation, facts);
  }
  const flaw =
    entry.kind === 'role' ? roleFlawIn(entry.role, model, facts) : wordFlaw(entry, model, facts);
  return flaw ?? partsFlaw(entry, model, operation, facts);
}

const roleFlawIn = (role: string, model: ModelFacts, facts: Facts) =>
  facts.roles.includes(role) ? undefined : unknownWord(role, model, facts);

function wordFlaw(
  entry: Entry,
  { name, schema, isUser }: ModelFacts,
  facts: Facts,
): Wording | undefined {
  const { kind: value } = entry;
  if (entry.kind === 'shares') return sharesFlaw(entry.model, isUser, facts);
  if (value === 'link' && schema.link === undefined) {
    const help = 'name its secret: `link: token`';
    return { code: 'SCF721', message: `${name} has no link`, help };
  }
  if (value === 'self' && !isUser) {
    return {
      code: 'SCF703',
      message: `\`self\` has no meaning on ${name}`,
      help: 'it is for `User`; use `owner` for rows that belong to someone',
    };
  }
  if (value === 'owner' && schema.owner === undefined) {
    const help = isUser
      ? 'write `self`: the user that the row is'
      : 'name the relation to the owner: `owner: author`';
    return { code: 'SCF702', message: `${name} has no owner`, help };
  }
  return undefined;
}

/** Nobody owns a row, or is it, before it exists; and an anonymous client cannot own one. */
function creationFlaw(value: string, { name, schema }: ModelFacts): Wording | undefined {
  const isOfRow = ['owner', 'self', 'link'].includes(value) || /^shares\s/.test(value);
  if (isOfRow) {
    const help = 'write `authenticated`: whoever creates a row becomes its owner';
    return {
      code: 'SCF705',
      message: `\`${value}\` cannot create ${name}: the row does not exist yet`,
      help,
    };
  }
  const owner = schema.relations.find(
    (relation) => relation.name.value === schema.owner?.relation.value,
  );
  if (value !== 'public' || owner === undefined || owner.optional) return undefined;
  return {
    code: 'SCF705',
    message: `\`public\` cannot create ${name}: a row needs an owner, and an anonymous client has no account`,
    help: `write \`authenticated\`, or make the owner optional: \`${owner.name.value}: User?\``,
  };
}

function unknownWord(value: string, { isUser, schema }: ModelFacts, { roles }: Facts): Wording {
  const valid = [
    'public',
    'authenticated',
    ...(schema.owner === undefined ? [] : ['owner']),
    ...(isUser ? ['self'] : []),
    ...(schema.link === undefined ? [] : ['link']),
    ...memberWords(schema),
    ...roles,
  ];
  const nearest = nearestTo(value, valid);
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
    const flawOf = (role: string) => assignerFlaw(role, model, facts);
    checkWords(roles, `assign of ${model.name}`, flawOf, report);
    const stranger = access.create?.find(({ value }) => value === 'public');
    if (owner?.assign !== undefined && stranger !== undefined) {
      const message = `\`public\` may create ${model.name}, which would have no owner then, and \`assign\` needs one`;
      const help = 'write `create: authenticated`, or leave `assign` out';
      report({ code: 'SCF710', at: stranger.at, message, help });
    }
  }
};

function assignerFlaw(value: string, model: ModelFacts, facts: Facts) {
  if (facts.roles.includes(value)) return undefined;
  if (!keywords.includes(value)) return unknownWord(value, model, facts);
  return {
    code: 'SCF710',
    message: `\`${value}\` cannot assign owners of ${model.name}`,
    help: `name roles: ${facts.roles.join(', ')}`,
  };
}

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
        isAdmitted(role, accessWords(schema, 'create')) &&
        gainsNothing(role, schema),
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
function gainsNothing(role: string, schema: ModelSchema): boolean {
  const owned = endpointNames
    .filter((name) => name !== 'create')
    .map((name) => accessWords(schema, name));
  const forOwners = owned.filter((words) => words.includes('owner'));
  return forOwners.length > 0 && forOwners.every((words) => isAdmitted(role, words));
}

const isAdmitted = (role: string, words: readonly string[]) =>
  ['public', 'authenticated', role].some((word) => words.includes(word));

/** A rule about a value that nobody sees or writes anyway has no effect. */
export const fieldRulesSaySomething: Rule = ({ models }, report) => {
  for (const model of models) {
    for (const { member, key } of fieldRules(model)) {
      const flaw = member[key] && (key === 'read' ? unseen(member) : unwritten(member, model));
      if (flaw === undefined) continue;
      const path = `${model.name}.${member.name.value}`;
      const at = member.keysAt?.[key] ?? member.name.at;
      report({ code: 'SCF707', at, message: `${path}: ${flaw.message}`, help: flaw.help });
    }
  }
};

function unseen(member: Member) {
  const isHidden = 'hidden' in member && member.hidden === true;
  if (!isHidden) return undefined;
  return { message: 'nobody reads what is `hidden`', help: 'remove `hidden`, or `read`' };
}

function unwritten(member: Member, { schema }: ModelFacts) {
  if ('readonly' in member && member.readonly === true) {
    const message = 'only the server writes what is `readonly`';
    return { message, help: 'remove `readonly`, or `write`' };
  }
  if ('through' in member && member.through !== undefined) {
    const message = `its pairs are rows of ${member.through.value}, and written as such`;
    return { message, help: `give \`access\` to ${member.through.value} instead` };
  }
  const { name } = member;
  if ('type' in member || schema.owner?.relation.value !== name.value) return undefined;
  const help = `say who may name another owner: \`owner: { relation: ${name.value}, assign: … }\``;
  return { message: 'the owner of a new row is the user who makes it', help };
}

/** Whoever may make a row has to be able to give it what it must have. */
export const creatorsCanWriteWhatIsRequired: Rule = ({ models }, report) => {
  for (const { name, schema, isUser } of models) {
    const signsUp = isUser ? ['self'] : [];
    const creators = [...accessWords(schema, 'create'), ...signsUp];
    for (const member of [...schema.fields, ...schema.relations]) {
      const { write } = member;
      const isOwner = schema.owner?.relation.value === member.name.value;
      if (write === undefined || isOwner || !isRequired(member)) continue;
      const barred = creators.map(whoIn).find((creator) => !mayWrite(creator, write));
      if (barred === undefined) continue;
      const who = barred === 'self' ? 'whoever signs up' : `\`${barred}\``;
      report({
        code: 'SCF708',
        at: member.keysAt?.write ?? member.name.at,
        message: `${name}.${member.name.value} is required, and ${who} may create ${name} but not write it`,
        help: 'give it a default, make it optional, or let them write it',
      });
    }
  }
};

function isRequired(member: Member): boolean {
  if (member.optional) return false;
  return 'type' in member ? member.default === undefined : !member.many;
}

/** Without the condition. */
const whoIn = (text: string) => text.trim().replace(/\s(if|then)\s.*$/s, '');

/** Whoever makes a row owns it, or is it. What hangs on other rows is asked when it is written. */
function mayWrite(creator: string, write: RuleSchema): boolean {
  const words = write.map(({ value }) => whoIn(value));
  if ([creator, ...words].some((word) => /\s/.test(word))) return true;
  if (creator === 'admin' || words.includes('public') || words.includes(creator)) return true;
  const isSignedIn = creator !== 'public';
  return isSignedIn && ['authenticated', 'owner'].some((word) => words.includes(word));
}
