import { type Compared, covers } from '../covers.ts';
import type { Entry } from '../entry.ts';
import { spellEntry } from '../spell-entry.ts';
import { accessWords, entriesAmong } from '../access-words.ts';
import type { FieldSchema } from '../keys/field.ts';
import type { ModelSchema } from '../keys/model.ts';
import type { RelationSchema } from '../keys/relation.ts';
import { type Operation, operationFacts, operations } from '../language.ts';
import { ofModels, type Facts, type ModelFacts, type Rule } from './facts.ts';

/** Warnings, each of them certain: where a rule might matter, they are silent. */
const severity = 'warning';

/** An entry that admits nobody whom another one does not admit, and an `only` that everybody meets. */
export const entriesMatter = ofModels(({ name, schema }, report) => {
  for (const rule of [...operations, 'all'] as const) {
    for (const { value, at } of schema.access[rule] ?? []) {
      const text = value.trim();
      const why = idleness(text, rule, schema);
      if (why === undefined) continue;
      const message = `\`${text}\` changes nothing in ${rule} of ${name}: ${why}`;
      report({ code: 'SCF718', severity, at, message, help: 'remove it' });
    }
  }
});

/** Why an entry changes nothing in any of the operations for which its rule stands. */
function idleness(text: string, rule: Operation | 'all', schema: ModelSchema): string | undefined {
  const reasons = operations
    .filter((operation) => standsFor(rule, operation, schema))
    .flatMap((operation) => {
      const words = accessWords(schema, operation);
      const index = words.indexOf(text);
      return index < 0
        ? []
        : [idleAmong(parsed(schema, words), index, comparedIn(schema, operation))];
    });
  if (reasons.length === 0) return 'each operation says who may';
  return reasons.includes(undefined) ? undefined : reasons[0];
}

function standsFor(
  rule: Operation | 'all',
  operation: Operation,
  { access, softDelete }: ModelSchema,
) {
  if (rule === 'all') return operation !== 'restore' || softDelete === true;
  const { like } = operationFacts[operation];
  return rule === operation || (rule === like && access[operation] === undefined);
}

function idleAmong(
  entries: readonly Entry[] | undefined,
  index: number,
  compared: Compared,
): string | undefined {
  const entry = entries?.[index];
  // That admins may is often written down, although it goes without saying.
  if (entries === undefined || entry === undefined || isOfAdmins(entry)) return undefined;
  const others = entries.filter((each) => each !== entry && each.only === entry.only);
  const implying = others.find((each) => {
    const [wide, narrow] = entry.only ? [entry, each] : [each, entry];
    const isFirst = entries.indexOf(each) < index;
    return covers(wide, narrow, compared) && (isFirst || !covers(narrow, wide, compared));
  });
  if (!entry.only) return implying && `\`${spellEntry(implying)}\` admits them already`;
  const isMet = admitting(entries).every((each) => covers(entry, each, compared));
  return isMet || implying !== undefined ? 'whoever is admitted meets it anyway' : undefined;
}

/** A rule of a field that admits whoever may read, or write, the row. */
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
  const rule = parsed(schema, member[key]?.map(({ value }) => value) ?? []);
  if (rule === undefined || rule.length === 0 || rule.some(({ only }) => only)) return false;
  // What is embedded is shown to others as well.
  if (key === 'read' && schema.embed?.some(({ value }) => value === member.name.value))
    return false;
  const isAdmitted = (other: Operation, entry: Entry) => {
    const operation = key === 'read' ? 'read' : 'update';
    return rule.some((each) => covers(each, entry, { ...comparedIn(schema, operation), other }));
  };
  const asked = key === 'read' ? (['list', 'read'] as const) : (['create', 'update'] as const);
  // Users also sign up, and change themselves.
  const isSelfAdmitted = !isUser || key === 'read' || isAdmitted('update', { kind: 'self' });
  const entries = asked.flatMap((operation) => {
    const others = admitting(parsed(schema, accessWords(schema, operation)) ?? []);
    return others.map((entry) => ({ operation, entry }));
  });
  return (
    isSelfAdmitted &&
    // Of rows that admins alone read, or write, it says what they are.
    entries.length > 0 &&
    entries.every(({ operation, entry }) => isAdmitted(operation, entry))
  );
}

/** Nobody changes a row that they do not see; and whoever finds one in a list wants to open it. */
export const changersRead = ofModels(({ name, schema }, report) => {
  const readers = admitting(parsed(schema, accessWords(schema, 'read')) ?? []);
  // Whom these admit, other models say, and rows.
  if (readers.some(({ kind }) => ['via', 'shares', 'link'].includes(kind))) return;
  for (const operation of ['list', 'update', 'delete'] as const) {
    const compared = { ...comparedIn(schema, 'read'), other: operation };
    const so = operation === 'list' ? 'they see it in lists alone' : `they cannot ${operation} it`;
    for (const { value, at } of schema.access[operation] ?? []) {
      const [entry] = admitting(parsed(schema, [value.trim()]) ?? []);
      const isOpen = entry?.kind === 'public' && operation !== 'list';
      const isUnseen = entry && !isOpen && !['via', 'shares', 'link'].includes(entry.kind);
      if (!isUnseen || readers.some((each) => covers(each, entry, compared))) continue;
      // Whoever counts as a member by a link is not seen to be anybody.
      if (entry.kind === 'members' && readers.some(isForAll)) continue;
      report({
        code: 'SCF725',
        severity,
        at,
        message: `\`${spellEntry(entry)}\` in ${operation} of ${name} admits some who may not read the row: ${so}`,
        help: 'let `read` admit them as well, or narrow this down to those whom it admits',
      });
    }
  }
});

const isForAll = ({ kind, if: condition }: Entry) =>
  kind === 'authenticated' && condition === undefined;

/** Of a model whose rows are made by way of another row, somebody has to be able to make the first one. */
export const firstRowsAreMade: Rule = (facts, report) => {
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
      message: `nobody but an admin can make the first ${name}: whoever makes one needs another one first`,
      help: 'name somebody who may begin, or write `admin` beside it if that is meant',
    });
  }
};

function canBegin({ schema }: ModelFacts, begun: ReadonlySet<string>, facts: Facts): boolean {
  if (schema.endpoints?.every(({ value }) => value !== 'create')) return true;
  const entries = parsed(schema, accessWords(schema, 'create')) ?? [];
  return (
    entries.every(({ only }) => only) ||
    entries.some((entry) => {
      if (entry.only) return false;
      if (entry.kind !== 'via') return true;
      const relation = schema.relations.find(({ name }) => name.value === entry.relation);
      const there = relation?.to.value ?? '';
      return there === 'User' || !facts.byName.has(there) || begun.has(there);
    })
  );
}

/** Undefined where an entry is wrong, which is said elsewhere. */
function parsed(schema: ModelSchema, words: readonly string[]): readonly Entry[] | undefined {
  const entries = entriesAmong(words, schema);
  return entries.length === words.length ? entries : undefined;
}

const isOfAdmins = (entry: Entry) => entry.kind === 'role' && entry.role === 'admin';
export const admitting = (entries: readonly Entry[]) =>
  entries.filter((entry) => !entry.only && !isOfAdmins(entry));

const comparedIn = ({ owner }: ModelSchema, operation: Operation): Compared => ({
  owner: owner?.relation.value,
  operation,
});
