import { pairById } from '../../../evolve/pairs.ts';
import type { App } from '../../../model/app.ts';
import { findRenamed, respell } from '../../../project/plan/spellings.ts';
import type { Regeneration } from '../../../project/regeneration.ts';

/**
 * What a word of the old app may be in the new one. Unlike the names that texts are merged by, one that means several
 * things counts too: the compiler says which is meant.
 */
export function newNames(
  before: App,
  { app: after, spellings }: Pick<Regeneration, 'app' | 'spellings'>,
): (word: string) => readonly string[] {
  const { inModel, unchanged } = findRenamed(before, after);
  const names = new Map<string, Set<string>>();
  for (const [from, to] of [
    ...spellings,
    ...[...inModel.values()].flatMap((own) => [...own]),
    ...renamedValues(before, after),
  ]) {
    names.set(from, (names.get(from) ?? new Set()).add(to));
  }
  const parts = new Map([...[...unchanged].map((it) => [it, it] as const), ...spellings]);
  return (word) => {
    const known = [...(names.get(word) ?? [])];
    const made = respell(word, parts);
    return known.length > 0 || made === word ? known : [made];
  };
}

function renamedValues(before: App, after: App): readonly (readonly [string, string])[] {
  return pairById(before.enums, after.enums)
    .kept.flatMap((pair) => pairById(pair.before.values, pair.after.values).kept)
    .flatMap((pair) =>
      pair.before.value === pair.after.value
        ? []
        : [[pair.before.value, pair.after.value] as const],
    );
}
