import {
  admitting,
  comparedIn,
  covers,
  isOfAdmins,
  surelyAdmits,
  surelyAdmitsAll,
} from '../covers.ts';
import { type Entry, isOfKind } from '../entry.ts';
import { spellEntry } from '../spell-entry.ts';
import { accessEntries, accessWords, ruleEntries, rulesFor } from '../access-words.ts';
import type { FieldSchema } from '../keys/field.ts';
import type { ModelSchema } from '../keys/model.ts';
import type { RelationSchema } from '../keys/relation.ts';
import { type Operation, operations } from '../language.ts';
import { findNamed, ofModels, type Facts, type ModelFacts, type SchemaRule } from '../facts.ts';

/** Warns about rules without effect, only where that is certain. */
const severity = 'warning';

/** Finds entries that another one covers, and each `only` that everybody satisfies. */
export const entriesMatter = ofModels(({ name, schema }, report) => {
  for (const rule of [...operations, 'all'] as const) {
    for (const written of schema.access[rule] ?? []) {
      const text = written.value.trim();
      const reasons = operations
        .filter((it) => it !== 'restore' || rule === it || schema.softDelete === true)
        .filter((it) => rulesFor(schema, it).some((words) => words?.includes(written)))
        .filter((it) => accessWords(schema, it).includes(text))
        .map((it) => idleness(text, it, schema));
      const [why] = reasons.length === 0 ? ['each operation has its own rule'] : reasons;
      if (why === undefined || reasons.includes(undefined)) continue;
      const message = `\`${text}\` changes nothing in ${rule} of ${name}: ${why}`;
      report({ code: 'SCF718', severity, at: written.at, message, help: 'remove it' });
    }
  }
});

/** Why an entry changes nothing in an operation. */
function idleness(text: string, operation: Operation, schema: ModelSchema): string | undefined {
  const compared = comparedIn(schema, operation);
  const entries = accessEntries(schema, operation);
  const index = accessWords(schema, operation).indexOf(text);
  const entry = entries[index];
  // Admins always may, but people like to write it down.
  if (entry === undefined || isOfAdmins(entry)) return undefined;
  const others = entries.filter((each) => each !== entry && each.only === entry.only);
  const implying = others.find((each) => {
    const [wide, narrow] = entry.only ? [entry, each] : [each, entry];
    const isFirst = entries.indexOf(each) < index;
    return covers(wide, narrow, compared) && (isFirst || !covers(narrow, wide, compared));
  });
  if (!entry.only) return implying && `\`${spellEntry(implying)}\` admits them already`;
  const isMet = admitting(entries).every((each) => covers(entry, each, compared));
  return isMet || implying !== undefined ? 'whoever is admitted satisfies it anyway' : undefined;
}

/** Finds rules of fields that admit everybody who may read, or write, the row. */
export const fieldRulesMatter = ofModels(({ name, schema, isUser }, report) => {
  for (const member of [...schema.fields, ...schema.relations]) {
    for (const key of ['read', 'write'] as const) {
      if (!isIdle(member, key, schema, isUser)) continue;
      const at = member.keysAt?.[key] ?? member.name.at;
      const message = `\`${key}\` of ${name}.${member.name.value} changes nothing: it admits whoever may ${key} the row`;
      report({ code: 'SCF718', severity, at, message, help: 'remove it' });
    }
  }
});

function isIdle(
  member: FieldSchema | RelationSchema,
  key: 'read' | 'write',
  schema: ModelSchema,
  isUser: boolean,
): boolean {
  const rule = ruleEntries(member[key] ?? [], schema);
  if (rule.length === 0 || rule.some(({ only }) => only)) return false;
  // An embedded field is shown to others as well.
  if (key === 'read' && schema.embed?.some(({ value }) => value === member.name.value))
    return false;
  const compared = comparedIn(schema, key === 'read' ? 'read' : 'update');
  const asked = key === 'read' ? (['list', 'read'] as const) : (['create', 'update'] as const);
  const rules = asked.map((other) => ({ other, entries: accessEntries(schema, other) }));
  // Users also sign up, and change themselves.
  const isSelfAdmitted =
    !isUser || key === 'read' || surelyAdmits(rule, [{ kind: 'self' }], compared);
  return (
    isSelfAdmitted &&
    // A rule for admins alone documents the field, so it is not idle.
    rules.some(({ entries }) => admitting(entries).length > 0) &&
    rules.every(({ other, entries }) => surelyAdmitsAll(rule, entries, { ...compared, other }))
  );
}

/** People who list, change or delete a row have to be able to read it. */
export const changersRead = ofModels(({ name, schema }, report) => {
  const readers = admitting(accessEntries(schema, 'read'));
  if (readers.some(isDecidedElsewhere)) return;
  for (const operation of ['list', 'update', 'delete'] as const) {
    const compared = { ...comparedIn(schema, 'read'), other: operation };
    const so = operation === 'list' ? 'they see it only in lists' : `they cannot ${operation} it`;
    for (const written of schema.access[operation] ?? []) {
      const [entry] = admitting(ruleEntries([written], schema));
      const isOpen = entry?.kind === 'public' && operation !== 'list';
      const isUnseen = entry && !isOpen && !isDecidedElsewhere(entry);
      if (!isUnseen || readers.some((each) => covers(each, entry, compared))) continue;
      // `authenticated` does not cover members, as some come by a link without an account; most have one.
      if (entry.kind === 'members' && readers.some(isForAll)) continue;
      report({
        code: 'SCF725',
        severity,
        at: written.at,
        message: `\`${spellEntry(entry)}\` in ${operation} of ${name} admits people who may not read the row: ${so}`,
        help: 'let `read` admit them as well, or narrow this down',
      });
    }
  }
});

/** Other models and rows decide whom these admit. */
const isDecidedElsewhere = (entry: Entry) => isOfKind(entry, 'via', 'shares', 'link');

const isForAll = ({ kind, if: condition }: Entry) =>
  kind === 'authenticated' && condition === undefined;

/** Somebody has to be able to create the first row, even where a row needs another one. */
export const firstRowsAreMade: SchemaRule = (facts, report) => {
  const begun = new Set<string>();
  for (let count = -1; count < begun.size;) {
    count = begun.size;
    for (const model of facts.models) if (canBegin(model, begun, facts)) begun.add(model.name);
  }
  for (const { name, schema } of facts.models) {
    if (begun.has(name)) continue;
    const [first] = schema.access.create ?? schema.access.all ?? [];
    report({
      code: 'SCF719',
      severity,
      at: first?.at ?? schema.name.at,
      message: `only an admin can create the first ${name}: creating one requires an existing one`,
      help: 'name somebody who can create the first one, or add `admin` if this is intended',
    });
  }
};

function canBegin({ schema }: ModelFacts, begun: ReadonlySet<string>, facts: Facts): boolean {
  if (schema.endpoints?.every(({ value }) => value !== 'create')) return true;
  const entries = accessEntries(schema, 'create');
  return (
    entries.every(({ only }) => only) ||
    entries.some((entry) => {
      if (entry.only) return false;
      if (entry.kind !== 'via') return true;
      const relation = findNamed(entry.relation, schema.relations);
      const there = relation?.to.value ?? '';
      return there === 'User' || !facts.byName.has(there) || begun.has(there);
    })
  );
}
