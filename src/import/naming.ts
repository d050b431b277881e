import { type NameCase, spellName } from '../naming/name.ts';
import type { Naming } from '../schema/language.ts';
import type { DraftModel } from './draft.ts';

/** The case that most names of several words have. */
export function caseOf(names: readonly string[]): NameCase {
  const count = (form: RegExp) => names.filter((name) => form.test(name)).length;
  return count(/\p{Ll}\p{Lu}/u) > count(/_/) ? 'camel' : 'snake';
}

/** The times that the server keeps by itself. */
interface Times {
  readonly created?: FoundTime | undefined;
  readonly updated?: FoundTime | undefined;
}

interface FoundTime {
  readonly name: string;
  readonly nullable: boolean;
}

/** What they are called where the schema does not say it. */
export const usualTimes = ({ api }: Pick<Naming, 'api'>) => ({
  created: spellName('created_at', api),
  updated: spellName('updated_at', api),
});

/** `timestamps` of a model; a user has both. */
export function timestampsOf(
  { created, updated }: Times,
  naming: Naming,
  isUser: boolean,
): DraftModel['timestamps'] {
  const usual = usualTimes(naming);
  const names = {
    created: created ? spelled(created) : isUser ? usual.created : undefined,
    updated: updated ? spelled(updated) : isUser ? usual.updated : undefined,
  };
  const isUsual = (one: keyof Times) => names[one] === undefined || names[one] === usual[one];
  if (names.created === undefined && names.updated === undefined) return false;
  if (!isUsual('created') || !isUsual('updated')) return names;
  if (names.updated === undefined) return 'created';
  return names.created === undefined ? 'updated' : undefined;
}

const spelled = ({ name, nullable }: FoundTime) => (nullable ? `${name}?` : name);

/** The kind of an id, with its column where that has another name. */
export function inColumn(kind: DraftModel['id'], column: string | undefined): DraftModel['id'] {
  if (column === undefined || column === 'id') return kind;
  return { ...(typeof kind === 'string' ? { type: kind } : kind), column };
}
