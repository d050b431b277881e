import { type Entry, whoCalled } from './entry.ts';
import type { Position } from './problem.ts';
import { spellEntry } from './spell-entry.ts';
import { parseEntry } from './parse-entry.ts';
import type { ModelSchema } from './keys/model.ts';
import type { RuleSchema } from './keys/people.ts';
import { type Operation, operationFacts } from './language.ts';
import { isFlaw } from './scope.ts';

export const memberWords = ({ members }: Pick<ModelSchema, 'members'>): readonly string[] =>
  members.map(({ word }) => word.value);

/** An entry of a rule and where it stands; a default stands at the name of its model. */
interface PlacedEntry {
  readonly entry: Entry;
  readonly at: Position;
}

/** Without those that do not parse: a rule reports them. */
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

/** The same with their places. Each `only` under `all` comes last. */
export function placedEntries(model: ModelSchema, operation: Operation): readonly PlacedEntry[] {
  const { access, name } = model;
  const { like } = operationFacts[operation];
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
  const { shared, owned, users } = operationFacts[operation];
  if (name.value === 'User') return users;
  return owner === undefined ? shared : owned;
}
