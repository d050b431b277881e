import { surelyAdmitsAll } from '../schema/covers.ts';
import { operationOfVia, type Operation, operations } from '../schema/language.ts';
import type { App, Field, Model } from './app.ts';
import { findField, findModel, findToOne } from './lookups.ts';
import { spellEntry, spellRule } from '../schema/spell-entry.ts';
import { type AccessRule, labelAccessRules, describeAccessOfModel } from './describe-access.ts';

/** Describes how the rules of a model changed: `update: owner, no longer editor (narrower)`. */
export function describeAccessChanges(former: Model, model: Model): readonly string[] {
  const [before, after] = [closeFields(former, model), closeFields(model, former)];
  const [was, is] = [describeAccessOfModel(before), describeAccessOfModel(after)];
  const [wasRules, isRules] = [labelAccessRules(before), labelAccessRules(after)];
  const owner = former.owner === model.owner ? model.owner : undefined;
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((label) => {
    const [left, right] = [was.get(label) ?? '–', is.get(label) ?? '–'];
    if (left === right) return [];
    const [old, now] = [wasRules.get(label), isRules.get(label)];
    if (old && now) {
      const effect = difference(old, now, owner);
      return effect === '' ? [] : [`${label}: ${effect}`];
    }
    // A field without a rule follows the rule of the row.
    const isOfField = (now ?? old)?.member !== undefined;
    const effect = describeEffect({
      isWider: isOfField && now === undefined,
      isNarrower: isOfField && old === undefined,
    });
    return [`${label}: ${left || 'nobody'} → ${right || 'nobody'}${effect}`];
  });
}

/** Gives rules that admit nobody to fields that are secret or set by the server, if the other model has them, too. */
function closeFields(model: Model, other: Model): Model {
  const fields = model.fields.map((field): Field => {
    const { name, role, hidden, source } = field;
    if (role !== 'declared' || findField(other, name) === undefined) return field;
    return { ...field, ...(hidden && { read: [] }), ...(source === 'server' && { write: [] }) };
  });
  return { ...model, fields };
}

/** Lists removed and added entries. Empty if only their order differs. */
function difference(old: AccessRule, now: AccessRule, owner: string | undefined): string {
  const [was, is] = [old.entries.map(spellEntry), now.entries.map(spellEntry)];
  const gone = was.filter((word) => !is.includes(word)).join(', ');
  const come = is.filter((word) => !was.includes(word)).join(', ');
  if (gone === come) return '';
  const compared = { owner, operation: now.operation };
  const effect = describeEffect({
    isWider: surelyAdmitsAll(now.entries, old.entries, compared),
    isNarrower: surelyAdmitsAll(old.entries, now.entries, compared),
  });
  if (gone === '') return `also ${come}${effect}`;
  return come === '' ? `no longer ${gone}${effect}` : `${gone} → ${come}${effect}`;
}

function describeEffect({
  isWider,
  isNarrower,
}: Readonly<Record<'isWider' | 'isNarrower', boolean>>): string {
  if (isWider === isNarrower) return '';
  return isWider ? ' (wider)' : ' (narrower)';
}

/** Finds rules of other models that refer to a changed rule with `via`: `Note.read`. */
export function listDependentRules(
  { former, model }: { readonly former: Model; readonly model: Model },
  app: App,
): readonly string[] {
  const isOther = (name: Operation) =>
    spellRule(former.access[name]) !== spellRule(model.access[name]);
  if (!operations.some(isOther)) return [];
  const depends = (rule: AccessRule, of: Model, seen: Set<string>): boolean =>
    rule.entries.some((entry) => {
      if (entry.kind !== 'via') return false;
      const there = findModel(findToOne(of, entry.relation)?.target ?? '', app);
      const operation = operationOfVia(entry, rule.operation);
      const path = `${there?.name}.${operation}`;
      if (there === undefined || seen.has(path)) return false;
      seen.add(path);
      const asked = { entries: there.access[operation], operation };
      return (there === model && isOther(operation)) || depends(asked, there, seen);
    });
  return app.models
    .filter((it) => it !== model)
    .flatMap((each) =>
      [...labelAccessRules(each)]
        .filter(([, rule]) => depends(rule, each, new Set()))
        .map(([label]) => `${each.name}.${label}`),
    );
}
