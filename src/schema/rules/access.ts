import { foreignViewers } from '../foreign-words.ts';
import { endpointNames, type EntrySchema, type Located } from '../schema.ts';
import type { Report } from '../shape.ts';
import { nearestTo, suggest } from '../suggest.ts';
import type { Facts, ModelFacts, Rule } from './facts.ts';

const words = ['public', 'authenticated', 'owner', 'self'];
const builtInRoles = ['user', 'admin'];

export const rolesAreNames: Rule = ({ schema }, report) => {
  const seen = new Set<string>();
  for (const { value, at } of schema.roles) {
    const flaw = roleFlaw(value, seen);
    seen.add(value.toLowerCase());
    if (flaw !== undefined) {
      const role = value === '' ? 'an empty text' : `\`${value}\``;
      report({ code: 'SCF704', at, message: `${role} cannot be a role: ${flaw}` });
    }
  }
};

function roleFlaw(role: string, seen: ReadonlySet<string>): string | undefined {
  const folded = role.toLowerCase();
  if (builtInRoles.includes(folded)) return 'it always exists, so it is not listed';
  if (words.includes(folded)) return 'the word has a meaning of its own in `access`';
  if (['undefined', 'null'].includes(folded)) return 'the word stands for nobody';
  if (seen.has(folded)) return 'it is listed twice';
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(role))
    return 'a letter comes first, then letters, digits and `_`';
  return role.length > 63 ? 'it has more than 63 characters' : undefined;
}

export const accessWordsAreKnown: Rule = (facts, report) => {
  for (const model of facts.models) {
    const { schema, name } = model;
    for (const operation of endpointNames) {
      const rule = { title: `${operation} of ${name}`, isCreation: operation === 'create' };
      checkEntries(schema.access[operation], { ...rule, model, facts, report });
    }
    for (const member of [...schema.fields, ...schema.relations]) {
      for (const key of ['read', 'write'] as const) {
        const title = `${key} of ${name}.${member.name.value}`;
        checkEntries(member[key], { title, isCreation: false, model, facts, report });
      }
    }
  }
};

interface Checked {
  /** How a message speaks of the rule. */
  readonly title: string;
  readonly isCreation: boolean;
  readonly model: ModelFacts;
  readonly facts: Facts;
  readonly report: Report;
}

function checkEntries(rule: readonly EntrySchema[] = [], checked: Checked): void {
  const named = rule.map(({ who }) => who);
  for (const [index, word] of named.entries()) {
    const twice = named.findIndex(({ value }) => value === word.value) < index;
    const problem = twice ? repeated(word, checked.title) : problemOf(word, checked);
    if (problem !== undefined) checked.report({ at: word.at, ...problem });
  }
}

type Wording = { readonly code: string; readonly message: string; readonly help: string };

export function repeated({ value }: Located<string>, title: string): Wording {
  return {
    code: 'SCF706',
    message: `${title} names \`${value}\` twice`,
    help: 'remove one of them',
  };
}

function problemOf(
  { value }: Located<string>,
  { isCreation, model, facts }: Checked,
): Wording | undefined {
  const { name, schema, isUser } = model;
  if (!words.includes(value) && !facts.roles.includes(value))
    return unknownWord(value, model, facts);
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
  return isCreation ? creationProblem(value, model) : undefined;
}

/** Nobody owns a row, or is it, before it exists; and a stranger cannot own one. */
function creationProblem(value: string, { name, schema }: ModelFacts): Wording | undefined {
  if (value === 'owner' || value === 'self') {
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
    message: `\`public\` cannot create ${name}: a row needs an owner, and a stranger is nobody`,
    help: `write \`authenticated\`, or make the owner optional: \`${owner.name.value}: User?\``,
  };
}

export function unknownWord(
  value: string,
  { isUser, schema }: ModelFacts,
  { roles }: Facts,
): Wording {
  const valid = [
    'public',
    'authenticated',
    ...(schema.owner === undefined ? [] : ['owner']),
    ...(isUser ? ['self'] : []),
    ...roles,
  ];
  const nearest = nearestTo(value, valid);
  const meant = foreignViewers.get(value.toLowerCase());
  const declare = `declare roles under \`auth: { roles: [${/^[A-Za-z]\w*$/.test(value) ? value : 'editor'}] }\``;
  return {
    code: 'SCF701',
    message: `\`${value}\` is neither a word of access nor a declared role`,
    help:
      meant ??
      (nearest === undefined ? `${suggest(value, valid)}; ${declare}` : suggest(value, valid)),
  };
}
