import { inTicks } from '../words.ts';
import type { RelationSchema } from './keys/relation.ts';
import { memberWords } from './access-words.ts';
import { findFlaw, type Flaw, isFlaw } from './scope.ts';
import { suggest } from './suggest.ts';
import {
  findByName,
  findModelFacts,
  toOneNames,
  toOneRelations,
  type Facts,
  type ModelFacts,
} from './facts.ts';
import { findMembers } from './members.ts';
import { isUserName } from './user.ts';

/** The condition that `among` sets for the target of a relation. */
export interface KeyAgreement {
  /** Relations from this model to a row, one after another. */
  readonly path: readonly string[];
  /** The target has to be a member of that row, with one of these roles, or with any role if the list is empty. */
  readonly members?: { readonly word: string; readonly roles: readonly string[] };
  /** Or the target has to lead to that row by this relation. */
  readonly own?: string;
}

/** Undefined if the relation has no `among`, or for an invalid schema. */
export function findAgreement(
  relation: RelationSchema,
  model: ModelFacts,
  facts: Facts,
): KeyAgreement | undefined {
  const found = readAgreement(relation, model, facts);
  return found === undefined || isFlaw(found) ? undefined : found;
}

/** Reads `among` of a relation, or says what is wrong with it. */
export function readAgreement(
  relation: RelationSchema,
  model: ModelFacts,
  facts: Facts,
): KeyAgreement | Flaw | undefined {
  if (relation.among === undefined) return undefined;
  const { value } = relation.among;
  const [, text = '', listed] = /^\s*([\w.]+)\s*(?:\(([\w\s,]*)\))?\s*$/.exec(value) ?? [];
  const roles = listed?.split(',').map((role) => role.trim()) ?? [];
  const path = text.split('.');
  const [last = ''] = path.slice(-1);
  if (relation.many) return { message: 'it leads to many rows', help: 'leave `among` out' };
  const begun = beginningFlaw(path, relation, model);
  if (begun !== undefined) return begun;
  const before = modelAt(path.slice(0, -1), model, facts);
  if (isFlaw(before)) return before;
  if (path.length > 1 && memberWords(before.schema).includes(last))
    return membersAgreement(
      { path: path.slice(0, -1), members: { word: last, roles } },
      relation,
      before,
      facts,
    );
  const there = modelAt([last], before, facts);
  if (isFlaw(there)) return there;
  if (listed !== undefined)
    return { message: `\`${last}\` is a relation, which has no roles`, help: 'leave them out' };
  return sameRow(path, relation, there, facts);
}

/** The path has to begin with another key that clients write. */
function beginningFlaw(
  [first, ...others]: readonly string[],
  { name, optional }: RelationSchema,
  { schema }: ModelFacts,
): Flaw | undefined {
  const other = findByName(first, schema.relations);
  return findFlaw([
    [first === name.value, 'a key agrees with itself', 'begin with another relation'],
    [
      first === schema.owner?.relation.value,
      `\`${first}\` is the owner, which clients do not send`,
      'write a rule instead, like `only if team = me.team`',
    ],
    [
      leadsBack(name.value, first, schema.relations),
      `it and \`${first}\` each depend on the other`,
      'leave one of them out',
    ],
    [
      others.length > 1,
      'the path is too long',
      'give the model its own relation to the row at the end',
    ],
    [
      other?.optional === true && !optional,
      `it is required, but \`${first}\`, which it must agree with, is optional`,
      `make \`${name.value}\` optional as well, or \`${first}\` required`,
    ],
  ]);
}

/** Whether a key would depend on itself, through other keys. */
function leadsBack(
  start: string,
  name: string | undefined,
  relations: readonly RelationSchema[],
  left = relations.length,
): boolean {
  const among = findByName(name, relations)?.among?.value;
  const [next] = among?.trim().split('.') ?? [];
  if (next === undefined || left === 0) return false;
  return next === start || leadsBack(start, next, relations, left - 1);
}

/** The model at the end of a path of relations. */
function modelAt(path: readonly string[], model: ModelFacts, facts: Facts): ModelFacts | Flaw {
  const [name, ...others] = path;
  if (name === undefined) return model;
  const there = findModelFacts(model, name, facts);
  if (there !== undefined) return modelAt(others, there, facts);
  const valid = [...toOneNames(model), ...memberWords(model.schema)];
  const message = `${model.name} has no to-one relation \`${name}\``;
  const help = suggest(name, valid) || 'write it like `project.member` or `lesson.school_class`';
  return { message, help };
}

function membersAgreement(
  { path, members: { word, roles } }: Required<Omit<KeyAgreement, 'own'>>,
  { to }: RelationSchema,
  model: ModelFacts,
  facts: Facts,
): KeyAgreement | Flaw {
  if (!isUserName(to)) {
    const message = `${to.value} is not \`User\`, but members are users`;
    return { message, help: 'name a relation that both lead to' };
  }
  const kind = model.schema.members.find((it) => it.word.value === word);
  const found = kind && findMembers(kind, facts);
  if (found !== undefined && found.user === undefined) {
    const message = `a \`${word}\` of ${model.name} has no account`;
    return { message, help: `give ${found.by.name} a relation to \`User\`` };
  }
  const wrong = roles.find((role) => found !== undefined && !found.roles.includes(role));
  if (wrong === undefined) return { path, members: { word, roles } };
  const help = suggest(wrong, found?.roles ?? []) || 'leave the roles out';
  return { message: `\`${wrong}\` is not a role of a \`${word}\``, help };
}

/** The relation by which the target leads to the row: the one of the same name, or the only one. */
function sameRow(
  path: readonly string[],
  { to }: RelationSchema,
  there: ModelFacts,
  { byName }: Facts,
): KeyAgreement | Flaw {
  const keys = toOneRelations(byName.get(to.value)?.schema ?? { relations: [] });
  const leading = keys.filter((it) => it.to.value === there.name);
  const named = findByName(path.at(-1), leading);
  const [only, ...others] = leading;
  const own = named ?? (others.length === 0 ? only : undefined);
  if (own !== undefined) return { path, own: own.name.value };
  const some = inTicks(leading.map((it) => it.name.value)).join(' or ');
  return some === ''
    ? {
        message: `${to.value} does not lead to ${there.name}, as \`${path.join('.')}\` does`,
        help: `add a relation from ${to.value} to one ${there.name}`,
      }
    : {
        message: `${to.value} has several relations to ${there.name}: ${some}`,
        help: 'give the relation you mean the same name as the last step of the path',
      };
}
