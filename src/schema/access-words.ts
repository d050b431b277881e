import { type Entry, whoCalled } from './entry.ts';
import type { Position } from './problem.ts';
import { spellEntry } from './spell-entry.ts';
import { parseEntry } from './parse-entry.ts';
import type { ModelSchema } from './keys/model.ts';
import type { RuleSchema } from './keys/people.ts';
import { type Operation, operationDetails } from './language.ts';
import { isFlaw } from './scope.ts';
import { isUserName } from './user.ts';

export const memberWords = ({ members }: Pick<ModelSchema, 'members'>): readonly string[] =>
  members.map(({ word }) => word.value);

/** An entry of a rule and its position. A default has the position of the model's name. */
interface PlacedEntry {
  readonly entry: Entry;
  readonly at: Position;
}

/** Leaves out entries that do not parse, which another rule reports. */
const placedIn = (rule: RuleSchema, model: Pick<ModelSchema, 'members'>): readonly PlacedEntry[] =>
  rule.flatMap(({ value, at }) => {
    const entry = parseEntry(value, memberWords(model));
    return isFlaw(entry) ? [] : [{ entry, at }];
  });

export const ruleEntries = (rule: RuleSchema, model: ModelSchema): readonly Entry[] =>
  placedIn(rule, model).map(({ entry }) => entry);

/** The entries for an operation, or its default. */
export const accessEntries = (model: ModelSchema, operation: Operation): readonly Entry[] =>
  placedEntries(model, operation).map(({ entry }) => entry);

/** The entries for an operation with their positions. Entries of `all` with `only` come last. */
export function placedEntries(model: ModelSchema, operation: Operation): readonly PlacedEntry[] {
  const { access, name } = model;
  const { like } = operationDetails[operation];
  const rules = [access[operation] ?? (like && access[like]), access.all].map((rule = []) =>
    placedIn(rule, model),
  );
  const admitting = rules.map((rule) => rule.filter(({ entry }) => !entry.only));
  const initial = { entry: whoCalled(defaultWord(model, operation)), at: name.at };
  const open = admitting.find((rule) => rule.length > 0) ?? [initial];
  const all = [...open, ...rules.flat().filter(({ entry }) => entry.only)];
  return [...new Map(all.map((each) => [spellEntry(each.entry), each])).values()];
}

function defaultWord({ name, owner }: ModelSchema, operation: Operation): string {
  const { shared, owned, users } = operationDetails[operation];
  if (isUserName(name)) return users;
  return owner === undefined ? shared : owned;
}
