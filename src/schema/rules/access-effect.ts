import {
  admittingEntries,
  comparedIn,
  covers,
  isOfAdmins,
  surelyAdmits,
  surelyAdmitsAll,
} from '../covers.ts';
import { type Entry, isOfKind } from '../entry.ts';
import { spellEntry } from '../spell-entry.ts';
import { accessEntries, ruleEntries } from '../access-words.ts';
import type { FieldSchema } from '../keys/field.ts';
import type { RelationSchema } from '../keys/relation.ts';
import { operations } from '../language.ts';
import { findByName, type ModelFacts, modelRule } from '../facts.ts';
import { isServed } from '../reach.ts';

const severity = 'warning';

/** Finds entries that another entry of the same rule covers, so that they restrict nothing. */
export const entriesMatter = modelRule(({ name, schema }, report) => {
  for (const rule of [...operations, 'all'] as const) {
    const asked = rule === 'all' ? operations : [rule];
    const coversAll = (one: Entry, other: Entry) =>
      asked.every((operation) => covers(one, other, comparedIn(schema, operation)));
    const words = schema.access[rule] ?? [];
    const entries = ruleEntries(words, schema);
    for (const [index, entry] of entries.entries()) {
      // Admins may do everything, but people like to write it down.
      if (entry.only || isOfAdmins(entry)) continue;
      const implying = entries.find(
        (other, at) =>
          other !== entry &&
          !other.only &&
          coversAll(other, entry) &&
          (at < index || !coversAll(entry, other)),
      );
      const written = words[index];
      if (implying === undefined || written === undefined) continue;
      const message = `\`${spellEntry(entry)}\` changes nothing in ${rule} of ${name}: \`${spellEntry(implying)}\` admits them already`;
      report({ code: 'SCF718', severity, at: written.at, message, help: 'remove it' });
    }
  }
});

/** Finds rules of fields that admit everybody who may read or write the row. */
export const fieldRulesMatter = modelRule((model, report) => {
  const { name, schema } = model;
  for (const member of [...schema.fields, ...schema.relations]) {
    for (const key of ['read', 'write'] as const) {
      if (!isIdle(member, key, model)) continue;
      const at = member.keysAt?.[key] ?? member.name.at;
      const message = `\`${key}\` of ${name}.${member.name.value} changes nothing: it admits whoever may ${key} the row`;
      report({ code: 'SCF718', severity, at, message, help: 'remove it' });
    }
  }
});

function isIdle(
  member: FieldSchema | RelationSchema,
  key: 'read' | 'write',
  { schema, isUser }: ModelFacts,
): boolean {
  const rule = ruleEntries(member[key] ?? [], schema);
  if (rule.length === 0 || rule.some(({ only }) => only)) return false;
  // An embedded field is also shown to others.
  if (key === 'read' && schema.embed?.some(({ value }) => value === member.name.value))
    return false;
  const compared = comparedIn(schema, key === 'read' ? 'read' : 'update');
  const asked = key === 'read' ? (['list', 'read'] as const) : (['create', 'update'] as const);
  const rules = asked.map((other) => ({ other, entries: accessEntries(schema, other) }));
  // Users also sign up and change themselves.
  const isSelfAdmitted =
    !isUser || key === 'read' || surelyAdmits(rule, [{ kind: 'self' }], compared);
  return (
    isSelfAdmitted &&
    // A rule that only admits admins documents the field.
    rules.some(({ entries }) => admittingEntries(entries).length > 0) &&
    rules.every(({ other, entries }) => surelyAdmitsAll(rule, entries, { ...compared, other }))
  );
}

/** People who list, change or delete a row have to be able to read it. */
export const changersRead = modelRule(({ name, schema }, report) => {
  const readers = admittingEntries(accessEntries(schema, 'read'));
  if (readers.some(isDecidedElsewhere)) return;
  for (const operation of ['list', 'update', 'delete'] as const) {
    const compared = { ...comparedIn(schema, 'read'), other: operation };
    const so = operation === 'list' ? 'they see it only in lists' : `they cannot ${operation} it`;
    for (const written of schema.access[operation] ?? []) {
      const [entry] = admittingEntries(ruleEntries([written], schema));
      const isOpen = entry?.kind === 'public' && operation !== 'list';
      const isUnseen = entry && !isOpen && !isDecidedElsewhere(entry);
      if (!isUnseen || readers.some((each) => covers(each, entry, compared))) continue;
      // `authenticated` does not cover members, as some come by a link without an account; most have one.
      if (entry.kind === 'members' && readers.some(isForAll)) continue;
      const message = `\`${spellEntry(entry)}\` in ${operation} of ${name} admits people who may not read the row: ${so}`;
      const help = 'let `read` admit them as well, or narrow this down';
      report({ code: 'SCF725', severity, at: written.at, message, help });
    }
  }
});

/** Rules of other models decide whom these entries admit. */
const isDecidedElsewhere = (entry: Entry) => isOfKind(entry, 'via', 'shares', 'link');

const isForAll = ({ kind, if: condition }: Entry) =>
  kind === 'authenticated' && condition === undefined;

/** Somebody has to be able to create the first row, even where a row needs another one. */
export const firstRowsAreMade = modelRule(({ name, schema }, report) => {
  const makers = accessEntries(schema, 'create').filter(({ only }) => !only);
  const leadsHere = (relation: string) => findByName(relation, schema.relations)?.to.value === name;
  const isStuck = makers.every((entry) => entry.kind === 'via' && leadsHere(entry.relation));
  if (!isStuck || !isServed('create', schema)) return;
  const [first] = schema.access.create ?? schema.access.all ?? [];
  const at = first?.at ?? schema.name.at;
  const message = `only an admin can create the first ${name}: creating one requires an existing one`;
  const help = 'name somebody who can create the first one, or add `admin` if this is intended';
  report({ code: 'SCF719', severity, at, message, help });
});
