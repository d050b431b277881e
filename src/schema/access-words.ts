import { type Entry, isFlawed } from './entry.ts';
import { parseEntry } from './parse-entry.ts';
import type { ModelSchema } from './keys/model.ts';
import { byOperation, type Operation } from './language.ts';

export const memberWords = ({ members }: Pick<ModelSchema, 'members'>): readonly string[] =>
  members.map(({ word }) => word.value);

/** The entries among some words; what is wrong with the others is said where they are checked. */
export const entriesAmong = (
  words: readonly string[],
  model: Pick<ModelSchema, 'members'>,
): readonly Entry[] =>
  words.flatMap((word) => {
    const entry = parseEntry(word, memberWords(model));
    return isFlawed(entry) ? [] : [entry];
  });

/** Who may do what: the entries of the file, and where it has none, few. What holds of `all` besides comes last. */
export function accessWords(model: ModelSchema, operation: Operation): readonly string[] {
  const { access } = model;
  const isSeeing = operation === 'list' || operation === 'refer';
  const [own, all] = [access[operation] ?? (isSeeing ? access.read : undefined), access.all].map(
    (rule) => rule?.map(({ value }) => value.trim()) ?? [],
  );
  const admitting = [own, all].map((words = []) => words.filter((word) => !isOnly(word)));
  const open = admitting.find((words) => words.length > 0) ?? defaultAccess(model)[operation];
  return [...new Set([...open, ...[own, all].flatMap((words = []) => words.filter(isOnly))])];
}

const isOnly = (word: string) => /^only\b/.test(word);

type Words = Readonly<Record<Operation, readonly string[]>>;

function defaultAccess({ name, owner }: ModelSchema): Words {
  if (name.value === 'User') return ofUsers;
  return owner === undefined ? ofAdmins : ofOwners;
}

const ofAdmins: Words = {
  ...byOperation(() => ['admin']),
  list: ['authenticated'],
  read: ['authenticated'],
  refer: ['authenticated'],
};

const ofOwners: Words = {
  ...ofAdmins,
  create: ['authenticated'],
  update: ['owner'],
  delete: ['owner'],
};

const ofUsers: Words = { ...ofAdmins, list: ['admin'], read: ['self'], update: ['self'] };
