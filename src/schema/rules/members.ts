import { findSharedFlaw } from '../condition-flaws.ts';
import { accessKeywords } from '../entry.ts';
import { type Facts, type MemberRows, type ModelFacts, modelRule } from '../facts.ts';
import type { MembersSchema } from '../keys/people.ts';
import type { RelationSchema } from '../keys/relation.ts';
import { mayWrite } from '../reach.ts';
import { type Flaw, isFlaw } from '../scope.ts';

export const membersAreFound = modelRule((model, report, facts) => {
  for (const kind of model.schema.members) {
    const path = `${model.name}.members.${kind.word.value}`;
    const wrong = takenFlaw(kind, facts);
    if (wrong !== undefined) {
      report({ code: 'SCF716', at: kind.word.at, ...wrong });
      continue;
    }
    const found = facts.memberRows.get(kind);
    if (found === undefined) continue;
    const asked = !isFlaw(found) && kind.if && findSharedFlaw(kind.if.value, found.by, facts);
    const flaw = asked || (isFlaw(found) ? found : (indexFlaw(found) ?? ownRowFlaw(found)));
    if (flaw === undefined) continue;
    const { at } = (asked && kind.if) || kind.by;
    report({ ...flaw, code: 'SCF716', at, message: `${path}: ${flaw.message}` });
  }
});

/** Words that `policy.ts` uses itself. */
const takenWords = 'everyone me members mine not over role when'.split(' ');

function takenFlaw({ word: { value } }: MembersSchema, { roles, models }: Facts): Flaw | undefined {
  const message = `\`${value}\` cannot be a word for members`;
  const help = 'choose another one, like `member`';
  if (!/^[a-z][a-z0-9]*$/.test(value)) return { message, help: 'use lowercase letters and digits' };
  const resources = models.map(({ names }) => names.variablePlural);
  const isTaken = [...accessKeywords, ...takenWords, ...roles, ...resources].includes(value);
  return isTaken ? { message: `${message}: it has a meaning of its own`, help } : undefined;
}

/** Each request asks whose member the user is. */
function indexFlaw({ by, user }: MemberRows): Flaw | undefined {
  if (user?.index !== false || isIndexedBy(by, user)) return undefined;
  const path = `${by.name}.${user.name.value}`;
  return { message: `members are looked up by ${path}, which has no index`, help: 'index it' };
}

const isIndexedBy = ({ schema }: ModelFacts, { name }: RelationSchema) =>
  [
    ...schema.unique,
    ...schema.indexes.map((it) => ({ ...it, keys: it.keys.map(({ field }) => field) })),
  ].some(({ keys: [first], where }) => where === undefined && first?.value === name.value);

/** Users change their own row at `/auth/me`, whatever the rules of `User` are. */
function ownRowFlaw({ by, of, user }: MemberRows): Flaw | undefined {
  if (!by.isUser) return undefined;
  const own = [of, ...(user ? [user] : [])].find((key) =>
    mayWrite(key.write, by.schema, { kind: 'self' }),
  );
  if (own === undefined) return undefined;
  const path = `User.${own.name.value}`;
  const message = `users can set ${path} themselves, and so become members on their own`;
  return { message, help: `say who sets it: \`write: admin\` at ${path}` };
}
