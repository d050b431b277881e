import { type Entry } from '../entry.ts';
import { spellEntry } from '../spell-entry.ts';
import { accessEntries, placedEntries } from '../access-words.ts';
import { operationOfVia, type Operation, operationDetails, operations } from '../language.ts';
import type { Position } from '../problem.ts';
import type { CodedFlaw } from '../scope.ts';
import { findModelFacts, modelRule, type Facts, type ModelFacts } from '../facts.ts';

/** A chain of `via` must end, and must not make a row writable because the row at its end is public. */
export const viaLeadsSomewhere = modelRule((model, report, facts) => {
  const seen = new Set<Position>();
  for (const operation of operations) {
    for (const { entry, at } of placedEntries(model.schema, operation)) {
      if (entry.kind !== 'via' || seen.has(at)) continue;
      const flaw = viaFlaw({ model, operation, entry }, facts);
      if (flaw === undefined) continue;
      seen.add(at);
      report({ at, ...flaw });
    }
  }
});

function viaFlaw(step: ViaStep, facts: Facts): CodedFlaw | undefined {
  const { model, operation, entry } = step;
  const title = `${operation} of ${model.name}: \`${spellEntry(entry)}\``;
  if (isCircle(step, facts)) {
    const help =
      'name who has access, or add a relation to the root of the tree and write `via` with that one';
    return { code: 'SCF714', message: `${title} leads back to itself`, help };
  }
  if (!isPublicWrite(step, facts)) return undefined;
  const message = `${title} admits everybody, because the row it leads to does`;
  const help = `name an operation that is not public there, like \`via ${entry.relation}.update\``;
  return { code: 'SCF715', message, help };
}

interface ViaStep {
  readonly model: ModelFacts;
  readonly operation: Operation;
  readonly entry: Extract<Entry, { kind: 'via' }>;
}

function next({ model, operation, entry }: ViaStep, facts: Facts) {
  const there = findModelFacts(model, entry.relation, facts);
  return there && { model: there, operation: operationOfVia(entry, operation) };
}

function isCircle(first: ViaStep, facts: Facts): boolean {
  const seen = new Set<string>();
  const reaches = (step: ViaStep): boolean => {
    const there = next(step, facts);
    if (there === undefined) return false;
    if (there.model === first.model && there.operation === first.operation) return true;
    const key = `${there.model.name}.${there.operation}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return accessEntries(there.model.schema, there.operation).some(
      (entry) => entry.kind === 'via' && reaches({ ...there, entry }),
    );
  };
  return reaches(first);
}

function isPublicWrite(step: ViaStep, facts: Facts): boolean {
  if (step.entry.only || operationDetails[step.operation].via !== 'update') return false;
  const admitsAll = (
    { model, operation, entry }: ViaStep,
    seen: readonly ModelFacts[],
  ): boolean => {
    const there = next({ model, operation, entry }, facts);
    if (there === undefined || seen.includes(there.model)) return false;
    return accessEntries(there.model.schema, there.operation).some(
      (other) =>
        (other.kind === 'public' && other.only !== true) ||
        (other.kind === 'via' && admitsAll({ ...there, entry: other }, [...seen, there.model])),
    );
  };
  return admitsAll(step, []);
}
