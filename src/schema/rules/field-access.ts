import { accessWords } from '../access-words.ts';
import type { FieldSchema } from '../keys/field.ts';
import type { RuleSchema } from '../keys/people.ts';
import type { RelationSchema } from '../keys/relation.ts';
import { type Operation, operations } from '../language.ts';
import { ofModels, type ModelFacts } from '../facts.ts';

type PropertySchema = FieldSchema | RelationSchema;

/** The rules of each field and relation, written or not. */
function fieldRules({ schema }: ModelFacts) {
  const members: readonly PropertySchema[] = [...schema.fields, ...schema.relations];
  return members.flatMap((member) => (['read', 'write'] as const).map((key) => ({ member, key })));
}

/** All rules in the file about a model: of its rows, its fields and its relations. */
export function writtenRules(model: ModelFacts): readonly WrittenRule[] {
  const { name: title, schema } = model;
  const ofRows = [...operations, 'all' as const].map((operation) => {
    return { title, key: operation, operation, rule: schema.access[operation] };
  });
  const ofMembers = fieldRules(model).map(({ member, key }) => {
    return { title: `${title}.${member.name.value}`, key, rule: member[key] };
  });
  return [...ofRows, ...ofMembers].map(({ rule = [], ...found }) => ({ ...found, rule }));
}

interface WrittenRule {
  /** `Post`, or `Post.title`. */
  readonly title: string;
  readonly key: string;
  /** In a rule of a field, there is none. */
  readonly operation?: Operation | 'all';
  readonly rule: RuleSchema;
}

/** A rule has no effect on a value that nobody can read, or write, anyway. */
export const fieldRulesSaySomething = ofModels((model, report) => {
  for (const { member, key } of fieldRules(model)) {
    const flaw = member[key] && (key === 'read' ? unseen(member) : unwritten(member, model));
    if (flaw === undefined) continue;
    const path = `${model.name}.${member.name.value}`;
    const at = member.keysAt?.[key] ?? member.name.at;
    report({ code: 'SCF707', at, message: `${path}: ${flaw.message}`, help: flaw.help });
  }
});

function unseen(member: PropertySchema) {
  const isHidden = 'hidden' in member && member.hidden === true;
  if (!isHidden) return undefined;
  return { message: 'nobody reads what is `hidden`', help: 'remove `hidden`, or `read`' };
}

function unwritten(member: PropertySchema, { schema }: ModelFacts) {
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

/** Everybody who may create a row has to be able to write its required fields. */
export const creatorsCanWriteWhatIsRequired = ofModels(({ name, schema, isUser }, report) => {
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
});

function isRequired(member: PropertySchema): boolean {
  if (member.optional) return false;
  return 'type' in member ? member.default === undefined : !member.many;
}

/** Without the condition. */
export const whoIn = (text: string) => text.trim().replace(/\s(if|then)\s.*$/s, '');

/** The creator of a row owns it, or is the user itself. Rules that depend on other rows are checked when the row is written. */
function mayWrite(creator: string, write: RuleSchema): boolean {
  const words = write.map(({ value }) => whoIn(value));
  if ([creator, ...words].some((word) => /\s/.test(word))) return true;
  if (creator === 'admin' || words.includes('public') || words.includes(creator)) return true;
  const isSignedIn = creator !== 'public';
  return isSignedIn && ['authenticated', 'owner'].some((word) => words.includes(word));
}
