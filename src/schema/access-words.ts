import { type Entry } from './entry.ts';
import { parseEntry } from './parse-entry.ts';
import type { ModelSchema } from './keys/model.ts';
import type { RuleSchema } from './keys/people.ts';
import { type Operation, operationFacts } from './language.ts';
import { isFlaw } from './scope.ts';

export const memberWords = ({ members }: Pick<ModelSchema, 'members'>): readonly string[] =>
  members.map(({ word }) => word.value);

/** Empty for an entry that does not parse: a rule reports it. */
function entryIn(text: string, model: Pick<ModelSchema, 'members'>): readonly Entry[] {
  const entry = parseEntry(text, memberWords(model));
  return isFlaw(entry) ? [] : [entry];
}

export const ruleEntries = (rule: RuleSchema, model: ModelSchema): readonly Entry[] =>
  rule.flatMap(({ value }) => entryIn(value, model));

/** The entries for an operation, or its default. */
export const accessEntries = (model: ModelSchema, operation: Operation): readonly Entry[] =>
  accessWords(model, operation).flatMap((text) => entryIn(text, model));

/** The rules of the file for an operation, and for all of them. */
export function rulesFor({ access }: Pick<ModelSchema, 'access'>, operation: Operation) {
  const { like } = operationFacts[operation];
  return [access[operation] ?? (like && access[like]), access.all] as const;
}

/** The entries of the file; where it has none, the default. Each `only` under `all` comes last. */
export function accessWords(model: ModelSchema, operation: Operation): readonly string[] {
  const rules = rulesFor(model, operation).map((rule = []) =>
    rule.map(({ value }) => value.trim()),
  );
  const admitting = rules.map((words) => words.filter((word) => !isOnly(word)));
  const open = admitting.find((words) => words.length > 0) ?? [defaultWord(model, operation)];
  return [...new Set([...open, ...rules.flat().filter(isOnly)])];
}

const isOnly = (word: string) => /^only\b/.test(word);

function defaultWord({ name, owner }: ModelSchema, operation: Operation): string {
  const { shared, owned, users } = operationFacts[operation];
  if (name.value === 'User') return users;
  return owner === undefined ? shared : owned;
}

/** An entry without its condition. */
export const whoIn = (text: string) => text.trim().replace(/\s(if|then)\s.*$/s, '');
