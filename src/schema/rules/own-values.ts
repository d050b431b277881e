import { ruleEntries } from '../access-words.ts';
import type { Entry } from '../entry.ts';
import type { ModelSchema } from '../keys/model.ts';
import { findByName, type Facts, findModelFacts, modelRule, toOneRelations } from '../facts.ts';
import { isOpenTo, isServed, mayWrite } from '../reach.ts';
import { writtenRules } from '../written-rules.ts';
import { isUserName } from '../user.ts';

/** A rule must not rely on a value behind `me` that the people it admits can set themselves. */
export const ownValuesAreGiven = modelRule((model, report, facts) => {
  for (const { title, rule } of writtenRules(model)) {
    for (const written of rule) {
      const [own] = ruleEntries([written], model.schema).flatMap((it) =>
        listComparedValues(it, facts),
      );
      if (own === undefined) continue;
      const message = `\`${written.value.trim()}\` of ${title} relies on \`me.${own.path}\`, which ${own.writers} can set themselves`;
      const help =
        own.field === undefined
          ? 'compare something that only others can set'
          : `say who sets it: \`write: admin\` at ${own.field}`;
      report({ code: 'SCF724', severity: 'warning', at: written.at, message, help });
    }
  }
});

function listComparedValues(entry: Entry, facts: Facts) {
  const isOfRole = entry.kind === 'role' && entry.role !== 'admin';
  const asking: Entry = isOfRole ? { kind: 'role', role: entry.role } : { kind: 'authenticated' };
  const writers = isOfRole ? `users with the role \`${entry.role}\`` : 'users';
  return [...(entry.if ?? []), ...(entry.after ?? [])]
    .flatMap(({ values }) => values)
    .flatMap((value) => (value.kind === 'me' ? [ownIn(value.path, asking, facts)] : []))
    .flatMap((own) => (own === undefined ? [] : [{ ...own, writers }]));
}

/** Users set these when they register. */
const builtIn = ['name', 'email'];

/**
 * The first part of a path behind `me` that users can certainly set freely: any value, or the key of any row. Its
 * field, `User.level`, is absent where no schema could change that.
 */
function ownIn(path: readonly string[], asking: Entry, facts: Facts) {
  const { auth } = facts.schema;
  const [first = ''] = path;
  if (builtIn.includes(first)) {
    const isOwn = first === 'name' || auth === 'none' || auth?.password !== false;
    return isOwn ? { path: first, field: undefined } : undefined;
  }
  let model = facts.byName.get('User');
  // The entry that admits them to this row.
  let writers: readonly Entry[] = [{ kind: 'self' }, asking];
  for (const [index, name] of path.entries()) {
    if (model === undefined) return undefined;
    const { schema, name: type } = model;
    const so = path.slice(0, index + 1);
    const isWritten = writers.some((who) => writes(who, name, schema));
    const there = findModelFacts(model, name, facts);
    const isField = findByName(name, schema.fields) !== undefined;
    if (isWritten && (isField || (there && isOpenTo('refer', there.schema, asking))))
      return { path: so.join('.'), field: `${type}.${name}` };
    writers = there ? listWriters(there.schema, { asking, isOwnKey: isWritten, row: so }) : [];
    model = there;
  }
  return undefined;
}

function writes(who: Entry, name: string, schema: ModelSchema): boolean {
  if (name === schema.owner?.relation.value) return false;
  const relation = findByName(name, schema.relations);
  const field = findByName(name, schema.fields);
  if (field === undefined) return relation !== undefined && mayWrite(relation.write, schema, who);
  const isFixed = field.readonly === true || (field.immutable === true && who.kind !== 'self');
  return !isFixed && mayWrite(field.write, schema, who);
}

/** Entries that certainly let users change the row at the end of a path behind `me`, or create one to point at. */
function listWriters(
  schema: ModelSchema,
  {
    asking,
    isOwnKey,
    row,
  }: { readonly asking: Entry; readonly isOwnKey: boolean; readonly row: readonly string[] },
): readonly Entry[] {
  const makers = toOneRelations(schema)
    .filter(({ to }) => isUserName(to))
    .map(({ name, write }) => ({ write, who: { kind: 'is', relation: name.value } as const }))
    .filter(({ write, who }) => mayWrite(write, schema, who) && isOpenTo('refer', schema, who))
    .map(({ who }) => who)
    .filter((who) => [asking, who].some((each) => isOpenTo('create', schema, each)));
  // Nobody changes an unseen row.
  const isChanged = (['read', 'update'] as const).every((it) => isOpenTo(it, schema, asking, row));
  return [
    ...(isServed('update', schema) && isChanged ? [asking] : []),
    ...(isServed('create', schema) && isOwnKey ? makers : []),
  ];
}
