import { surelyAdmitsAll } from '../schema/covers.ts';
import { askedThere, type Operation, operations } from '../schema/language.ts';
import { type App, type Model, findToOne } from './app.ts';
import { spellEntry, spellRule } from '../schema/spell-entry.ts';
import { type AccessRule, accessRules, whoMay } from './describe-access.ts';
import type { Entry } from '../schema/entry.ts';

/** The differences between the rules of two models: `update: owner, no longer editor (narrower)`. */
export function changesIn(former: Model, model: Model): readonly string[] {
  const [was, is] = [whoMay(former), whoMay(model)];
  const [wasRules, isRules] = [accessRules(former), accessRules(model)];
  const owner = former.owner === model.owner ? model.owner : undefined;
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((label) => {
    const [left, right] = [was.get(label) ?? '–', is.get(label) ?? '–'];
    if (left === right) return [];
    const [old, now] = [wasRules.get(label), isRules.get(label)];
    if (old && now) {
      const effect = difference(old, now, owner);
      return effect === '' ? [] : [`${label}: ${effect}`];
    }
    // Without a rule, a field is for whoever may read, or write, the row.
    const isOfField = (now ?? old)?.member !== undefined;
    const effect = effectOf(isOfField && now === undefined, isOfField && old === undefined);
    return [`${label}: ${left} → ${right}${effect}`];
  });
}

/** The removed and the added entries; empty if only their order differs. */
function difference(old: AccessRule, now: AccessRule, owner: string | undefined): string {
  const [was, is] = [old.entries.map(spellEntry), now.entries.map(spellEntry)];
  const gone = was.filter((word) => !is.includes(word)).join(', ');
  const come = is.filter((word) => !was.includes(word)).join(', ');
  if (gone === come) return '';
  const compared = { owner, operation: now.operation };
  const effect = effectOf(
    surelyAdmitsAll(now.entries, old.entries, compared),
    surelyAdmitsAll(old.entries, now.entries, compared),
  );
  if (gone === '') return `also ${come}${effect}`;
  return come === '' ? `no longer ${gone}${effect}` : `${gone} → ${come}${effect}`;
}

function effectOf(isWider: boolean, isNarrower: boolean): string {
  if (isWider === isNarrower) return '';
  return isWider ? ' (wider)' : ' (narrower)';
}

/** Rules of other models that ask for what one may do, over `via`, where that has changed: `Note.read`. */
export function dependentRules(
  changed: { readonly former: Model; readonly model: Model },
  { models }: App,
): readonly string[] {
  const { former, model } = changed;
  const isOther = (name: Operation) =>
    spellRule(former.access[name]) !== spellRule(model.access[name]);
  const found = new Map<Model, Set<Operation>>([[model, new Set(operations.filter(isOther))]]);
  const labels = new Set<string>();
  for (let count = -1; count < labels.size;) {
    count = labels.size;
    for (const each of models) {
      const depends = (rule: readonly Entry[], operation: Operation) =>
        rule.some((entry) => {
          if (entry.kind !== 'via') return false;
          const target = findToOne(each, entry.relation)?.target;
          const there = models.find(({ names }) => names.type === target);
          return there && found.get(there)?.has(askedThere(entry, operation));
        });
      for (const operation of operations.filter((name) => depends(each.access[name], name)))
        found.set(each, (found.get(each) ?? new Set()).add(operation));
      if (each === model) continue;
      for (const [label, { entries, operation }] of accessRules(each)) {
        if (depends(entries, operation)) labels.add(`${each.name}.${label}`);
      }
    }
  }
  return [...labels];
}
