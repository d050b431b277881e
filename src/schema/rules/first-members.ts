import { accessEntries } from '../access-words.ts';
import type { Comparison } from '../entry.ts';
import { modelRule, type ModelFacts, type MemberRows } from '../facts.ts';
import { findMembers, valueSetBy } from '../members.ts';
import type { Flaw } from '../scope.ts';

/** If only members may read a row, its creator has to become one. */
export const makersBecomeMembers = modelRule((model, report, facts) => {
  for (const kind of model.schema.members) {
    const found = findMembers(kind, facts);
    const flaw = found && kind.first && firstFlaw(kind.first.value, found, model);
    if (kind.first !== undefined && flaw !== undefined)
      report({ code: 'SCF717', at: kind.first.at, ...flaw });
  }
  const lost = lostMaker(model);
  const [kind] = model.schema.members;
  if (kind === undefined || lost === undefined) return;
  const example = findMembers(kind, facts)?.roles.at(-1) ?? 'true';
  const message = `\`${lost}\` may create ${model.name} but not read it, because a new one has no members`;
  const help = `say what its creator becomes: \`${kind.word.value}: { by: ${kind.by.value}, first: ${example} }\``;
  report({ code: 'SCF717', at: kind.word.at, message, help });
});

/** A role that creates rows which only members may read. */
function lostMaker({ schema }: ModelFacts): string | undefined {
  if (schema.members.some(({ first }) => first !== undefined)) return undefined;
  const admitting = (operation: 'create' | 'read') =>
    accessEntries(schema, operation).filter(({ only }) => !only);
  const readers = admitting('read');
  const roles = readers.flatMap((entry) => (entry.kind === 'role' ? [entry.role] : []));
  const isMembersOnly = readers.every(({ kind }) => kind === 'members' || kind === 'role');
  if (!isMembersOnly || !readers.some(({ kind }) => kind === 'members')) return undefined;
  const makers = admitting('create').flatMap((entry) =>
    entry.kind === 'role' ? [entry.role] : entry.kind === 'authenticated' ? [entry.kind] : [],
  );
  return makers.find((maker) => maker !== 'admin' && !roles.includes(maker));
}

function firstFlaw(
  first: string | true,
  found: MemberRows,
  { isUser, schema }: ModelFacts,
): Flaw | undefined {
  const { by, roles } = found;
  const isAnonymous = accessEntries(schema, 'create').some(
    ({ kind, only }) => kind === 'public' && !only,
  );
  if (isUser || isAnonymous) {
    const message =
      'rows may be created without an account, and then the creator cannot be a member';
    return { message, help: isUser ? 'leave `first` out' : 'write `create: authenticated`' };
  }
  if (found.user === undefined) {
    const message = `${by.name} has no relation to \`User\`, so whoever creates a row cannot become a member`;
    return { message, help: `give ${by.name} a relation to \`User\`, or leave \`first\` out` };
  }
  const highest = roles.at(-1);
  if (highest === undefined && first !== true) {
    const help = `write \`first: true\`, or give ${by.name} a field \`role\` of an enum`;
    return { message: `${by.name} has no roles, so it has no role \`${first}\``, help };
  }
  if (highest !== undefined && first !== highest) {
    const message = `\`${first}\` is not the highest role, so nobody could ever assign that one`;
    const help = `the enum lists roles from the lowest up: write \`first: ${highest}\``;
    return { message, help };
  }
  return uncountedFlaw(first, found) ?? lackingFlaw(found);
}

/** A required field of the first member's row that has no default. */
function lackingFlaw(found: MemberRows): Flaw | undefined {
  const { by } = found;
  const given = found.condition.map(({ path }) => path[0]);
  const lacking = [
    ...by.schema.fields.filter((it) => it !== found.role && it.default === undefined),
    ...by.schema.relations.filter((it) => it !== found.of && it !== found.user && !it.many),
  ].find((it) => !it.optional && !given.includes(it.name.value));
  if (lacking === undefined) return undefined;
  const path = `${by.name}.${lacking.name.value}`;
  const message = `the first member could not be created: ${path} is required and has no default`;
  const help = 'make it optional, or give it a default';
  return { message, help };
}

/** The first member counts only if the new row meets the condition. */
function uncountedFlaw(first: string | true, { condition, role }: MemberRows): Flaw | undefined {
  const odd = condition.find((comparison) => valueSetBy(comparison) === undefined);
  if (odd !== undefined) {
    const message = `the first member could not satisfy \`${odd.path.join('.')} ${odd.operator} …\``;
    return { message, help: 'compare fields by `=`, `in` or `is null`, or leave `first` out' };
  }
  const isShut = ({ path: [name], values }: Comparison) =>
    name === role?.name.value && !values.some((it) => it.kind === 'literal' && it.text === first);
  if (!condition.some(isShut)) return undefined;
  const message = `\`${first}\` would not count: \`if\` asks for another role`;
  return { message, help: `let \`${first}\` count, too, or leave \`first\` out` };
}
