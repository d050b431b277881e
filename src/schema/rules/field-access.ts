import { accessWords, type EntrySchema, type FieldSchema, type RelationSchema } from '../schema.ts';
import { suggest } from '../suggest.ts';
import type { ModelFacts, Rule } from './facts.ts';

/** A rule about a value that nobody sees or writes anyway would be a promise of nothing. */
export const fieldRulesSaySomething: Rule = ({ models }, report) => {
  for (const model of models) {
    for (const member of [...model.schema.fields, ...model.schema.relations]) {
      for (const key of ['read', 'write'] as const) {
        const flaw = member[key] && (key === 'read' ? unseen(member) : unwritten(member, model));
        if (flaw === undefined) continue;
        const path = `${model.name}.${member.name.value}`;
        const at = member.keysAt?.[key] ?? member.name.at;
        report({ code: 'SCF707', at, message: `${path}: ${flaw.message}`, help: flaw.help });
      }
    }
  }
};

type Member = FieldSchema | RelationSchema;

function unseen(member: Member) {
  const isHidden = 'hidden' in member && member.hidden === true;
  if (!isHidden) return undefined;
  return { message: 'what is `hidden` nobody reads', help: 'remove `hidden`, or `read`' };
}

function unwritten(member: Member, { schema }: ModelFacts) {
  if ('readonly' in member && member.readonly === true) {
    const message = 'what is `readonly` the server writes alone';
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
      const barred = creators.find((creator) => !mayWrite(creator, write));
      if (barred === undefined) continue;
      const who = barred === 'self' ? 'who signs up' : `\`${barred}\``;
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

/** Whoever makes a row owns it, or is it. */
function mayWrite(creator: string, write: readonly EntrySchema[]): boolean {
  const words = write.map(({ who }) => who.value);
  if (creator === 'admin' || words.includes('public') || words.includes(creator)) return true;
  const isSignedIn = creator !== 'public';
  return isSignedIn && ['authenticated', 'owner'].some((word) => words.includes(word));
}

export const embeddedFieldsExist: Rule = ({ models }, report) => {
  for (const model of models) {
    const valid = embeddable(model);
    const seen = new Set<string>();
    for (const { value, at } of model.schema.embed ?? []) {
      const message = `embed of ${model.name} names`;
      const code = 'SCF709';
      if (!valid.includes(value)) {
        const member = model.members.find(({ name }) => name === value);
        const known = `${member?.title}, which cannot be embedded`;
        const what = member === undefined ? `unknown field \`${value}\`` : known;
        report({ code, at, message: `${message} ${what}`, help: suggest(value, valid) });
      } else if (seen.has(value)) {
        const help = 'remove one of them';
        report({ code, at, message: `${message} \`${value}\` twice`, help });
      }
      seen.add(value);
    }
  }
};

/** Fields that can be seen; the id of a row is known to whoever sees its key. */
function embeddable({ members, schema }: ModelFacts): readonly string[] {
  const kept = ['id', 'password', 'token_version'];
  const hidden = schema.fields.filter((field) => field.hidden).map(({ name }) => name.value);
  return members
    .filter(({ kind, name }) =>
      kind === 'built-in' ? !kept.includes(name) : kind === 'field' && !hidden.includes(name),
    )
    .map(({ name }) => name);
}
