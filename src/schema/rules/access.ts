import { type Entry } from '../entry.ts';
import { parseEntry } from '../parse-entry.ts';
import { foreignViewers } from '../foreign-words.ts';
import { memberWords } from '../access-words.ts';
import type { RuleSchema } from '../keys/people.ts';
import type { Operation } from '../language.ts';
import { type ReportProblem, isFlaw, type CodedFlaw } from '../scope.ts';
import { findNearest, suggest } from '../suggest.ts';
import { accessKeywords as keywords, partsFlaw } from './access-entries.ts';
import {
  findNamed,
  ofModels,
  declaredRoles,
  type Facts,
  type ModelFacts,
  type SchemaRule,
} from '../facts.ts';
import { sharesFlaw } from './links.ts';
import { membersFlaw } from './members.ts';
import { whoIn, writtenRules } from './field-access.ts';

const builtInRoles = ['user', 'admin'];

export const rolesAreNames: SchemaRule = ({ schema }, report) => {
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

export const accessWordsAreKnown = ofModels((model, report, facts) => {
  for (const { title, key, operation, rule } of writtenRules(model)) {
    const flawOf = (word: string) =>
      entryFlaw(word, model, operation, facts) ??
      (operation === 'create' ? creationFlaw(whoIn(word), model) : undefined) ??
      (operation === 'restore' && whoIn(word) === 'link' ? restoreByLink(model.name) : undefined);
    checkWords(rule, `${key} of ${title}`, flawOf, report);
  }
});

/** Reports each word that has a flaw, and each that stands there already; `title` is how a message speaks of the rule. */
export function checkWords(
  rule: RuleSchema,
  title: string,
  flawOf: (word: string) => CodedFlaw | undefined,
  report: ReportProblem,
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

/** In a rule of a field, there is no operation. */
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
      ? membersFlaw(entry, operation === 'create', model, facts)
      : wordFlaw(entry, model, facts);
  return flaw ?? partsFlaw(entry, model, operation, facts);
}

function wordFlaw(entry: Entry, model: ModelFacts, facts: Facts): CodedFlaw | undefined {
  const { name, schema, isUser } = model;
  const { kind: value } = entry;
  if (entry.kind === 'role')
    return facts.roles.includes(entry.role) ? undefined : unknownWord(entry.role, model, facts);
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

/** Nobody owns a row, or is it, before it exists; and an anonymous client cannot own one. */
function creationFlaw(value: string, { name, schema }: ModelFacts): CodedFlaw | undefined {
  const isOfRow = ['owner', 'self', 'link'].includes(value) || /^shares\s/.test(value);
  if (isOfRow) {
    const help = 'write `authenticated`: whoever creates a row becomes its owner';
    return {
      code: 'SCF705',
      message: `\`${value}\` cannot create ${name}: the row does not exist yet`,
      help,
    };
  }
  const owner = findNamed(schema.owner?.relation.value, schema.relations);
  if (value !== 'public' || owner === undefined || owner.optional) return undefined;
  return {
    code: 'SCF705',
    message: `\`public\` cannot create ${name}: a row needs an owner, and an anonymous client has no account`,
    help: `write \`authenticated\`, or make the owner optional: \`${owner.name.value}: User?\``,
  };
}

export function unknownWord(
  value: string,
  { isUser, schema }: ModelFacts,
  { roles }: Facts,
): CodedFlaw {
  const valid = [
    'public',
    'authenticated',
    ...(schema.owner === undefined ? [] : ['owner']),
    ...(isUser ? ['self'] : []),
    ...(schema.link === undefined ? [] : ['link']),
    ...memberWords(schema),
    ...roles,
  ];
  const nearest = findNearest(value, valid);
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
